// One parcel as a label (100 x 150 mm) and as a packing slip (A4).
import type { components } from '../../api/schema.gen'
import { formatPhone } from '../../lib/phone'
import { DateText } from '../../ui/DateText'
import { dispatchWords } from './words'

const t = dispatchWords.printed

export type ParcelSheet = components['schemas']['ParcelSheet']
type Props = { parcel: ParcelSheet }

export const addressOf = ({ receiver }: ParcelSheet): string =>
  [receiver.address1, receiver.address2].filter(Boolean).join(' ')

const Message = ({ parcel }: Props) =>
  parcel.requestMessage ? (
    <p className="mt-2 border border-black p-2">
      {t.message}: {parcel.requestMessage}
    </p>
  ) : null

export function Label({ parcel }: Props) {
  const { receiver } = parcel
  return (
    <section className="print-label border border-black text-sm">
      <p className="flex justify-between border-black border-b pb-2">
        <span className="figures font-semibold">{parcel.orderNo}</span>
        <span>{parcel.methodText}</span>
      </p>
      <p className="figures mt-3 font-bold text-2xl">{receiver.postcode}</p>
      <p className="wrap-anywhere mt-1 font-semibold text-lg">{addressOf(parcel)}</p>
      <p className="mt-3 font-bold text-xl">{receiver.name}</p>
      <p className="figures text-lg">{formatPhone(receiver.phone ?? '')}</p>
      <Message parcel={parcel} />
      <ul className="mt-3 border-black border-t pt-2">
        {parcel.items.map((item) => (
          <li key={item.purchaseNo} className="flex justify-between gap-2">
            <span className="wrap-anywhere">{[item.name, item.optionName].filter(Boolean).join(' · ')}</span>
            <span className="figures shrink-0">{item.quantity}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Slip({ parcel }: Props) {
  const { receiver, sender } = parcel
  const total = parcel.items.reduce((sum, item) => sum + item.quantity, 0)
  return (
    <section className="print-slip p-4 text-sm">
      <h2 className="text-center font-bold text-xl">{t.slip}</h2>
      <p className="figures mt-4 flex flex-wrap justify-between gap-2">
        <span>
          {t.orderNo} {parcel.orderNo}
        </span>
        <DateText value={parcel.createdAt} />
      </p>
      <p className="mt-3">
        {t.receiver}: <strong>{receiver.name}</strong> {formatPhone(receiver.phone ?? '')}
      </p>
      <p className="wrap-anywhere">
        ({receiver.postcode ?? '-'}) {addressOf(parcel) || parcel.methodText}
      </p>
      <p className="mt-1">
        {t.sender}: {sender.name}
      </p>
      <Message parcel={parcel} />
      <table className="mt-4 w-full border-collapse">
        <thead>
          <tr className="border-black border-y text-left">
            <th scope="col" className="py-2">
              {t.product}
            </th>
            <th scope="col">{t.code}</th>
            <th scope="col" className="text-right">
              {t.quantity}
            </th>
          </tr>
        </thead>
        <tbody>
          {parcel.items.map((item) => (
            <tr key={item.purchaseNo} className="border-b align-top">
              <td className="wrap-anywhere py-2">{[item.name, item.optionName].filter(Boolean).join(' · ')}</td>
              <td className="py-2">{item.code}</td>
              <td className="figures py-2 text-right">{item.quantity}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2} className="py-2 text-left">
              {t.total}
            </th>
            <td className="figures text-right font-bold">{total}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
