// What a product is made of: its materials and nutrition facts, and a page with more about it.
import type { ProductDetail } from '../../api/types'
import { grouped } from '../../i18n/number'
import { Link } from '../../ui/Link'

export function Composition({ product }: { product: ProductDetail }) {
  const { link, materials, nutritions } = product
  return (
    <>
      {link && (
        <p className="mt-6">
          <AnyLink to={link} className="font-semibold underline underline-offset-4">
            관련 페이지 보기
          </AnyLink>
        </p>
      )}
      {materials.length > 0 && (
        <section className="mt-10">
          <h2 className="font-bold text-lg">소재</h2>
          <ul className="mt-3 grid gap-4 sm:grid-cols-2">
            {materials.map(({ _id, name, origin, desc, image }) => (
              <li key={_id} className="flex gap-3">
                {image && (
                  <img
                    src={image.url}
                    alt={image.alt ?? ''}
                    loading="lazy"
                    className="size-16 shrink-0 rounded-md bg-picture object-contain"
                  />
                )}
                <div className="min-w-0">
                  <p className="font-semibold">
                    {name}
                    {origin && <span className="ml-2 font-normal text-ink-2 text-sm">{origin}</span>}
                  </p>
                  {desc && <p className="whitespace-pre-line text-ink-2 text-sm">{desc}</p>}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {nutritions.length > 0 && (
        <section className="mt-10">
          <h2 className="font-bold text-lg">영양성분</h2>
          <table className="mt-3 w-full border-line border-t text-sm">
            <thead>
              <tr className="border-line border-b bg-sunken text-left text-ink-2">
                <th scope="col" className="px-4 py-2.5 font-medium">
                  영양성분
                </th>
                <th scope="col" className="px-4 py-2.5 text-right font-medium">
                  함량
                </th>
                <th scope="col" className="px-4 py-2.5 text-right font-medium">
                  1일 기준치에 대한 비율
                </th>
              </tr>
            </thead>
            <tbody>
              {nutritions.map(({ name, amount, percent }, i) => (
                <tr key={i} className="border-line border-b">
                  <th scope="row" className="px-4 py-2.5 text-left font-normal">
                    {name}
                  </th>
                  <td className="figures px-4 py-2.5 text-right">{amount}</td>
                  <td className="figures px-4 py-2.5 text-right">
                    {typeof percent === 'number' ? `${grouped(percent)}%` : '-'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

/** A page of this shop, or one of the web in another tab. */
const AnyLink = ({ to, ...rest }: { to: string; className: string; children: string }) =>
  to.startsWith('/') ? <Link to={to} {...rest} /> : <a href={to} target="_blank" rel="noopener noreferrer" {...rest} />
