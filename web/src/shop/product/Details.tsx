// What stands below the fold: the description, the facts the law asks for, and delivery with exchange and return.
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ProductDetail } from '../../api/types'
import { extraTexts, fareText, methodText } from '../../features/orders/fares'
import { useSetting } from '../../features/settings/api'
import { cn } from '../../lib/cn'
import { Button } from '../../ui/Button'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import { Composition } from './Composition'

const around = {
  waiting: () => (
    <Loading>
      <Skeleton className="h-48 rounded-lg" />
    </Loading>
  ),
  instead: missing,
}
const Reviews = optional(() => import('./Reviews'), around)
const Inquiries = optional(() => import('./Inquiries'), around)

const TABS = ['about', 'reviews', 'inquiries', 'delivery']

/** The tab is a part of the address, so that a link can lead to the reviews. */
export function Details({ product }: { product: ProductDetail }) {
  const { hash } = useLocation()
  const [tab, setTab] = useState('about')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = hash.slice(1)
    if (target === '' || !TABS.includes(target)) return
    setTab(target)
    place.current?.scrollIntoView()
  }, [hash])
  return (
    <div ref={place} className="scroll-mt-24">
      <Tabs
        label="상품 안내"
        className="mt-14 md:mt-20"
        value={tab}
        onValueChange={setTab}
        tabs={[
          { value: 'about', label: '상세정보', content: <About product={product} /> },
          {
            value: 'reviews',
            label: '후기',
            count: product.meta.reviewCount,
            content: <Reviews product={product._id} name={product.name} />,
          },
          {
            value: 'inquiries',
            label: '문의',
            content: <Inquiries product={product._id} name={product.name} />,
          },
          { value: 'delivery', label: '배송·교환·반품', content: <Delivery product={product} /> },
        ]}
      />
    </div>
  )
}

const FOLDED_PX = 'max-h-96'
/** Longer descriptions are folded on arrival. */
const LONG = 900

function About({ product }: { product: ProductDetail }) {
  const long = product.content.length > LONG
  const [open, setOpen] = useState(false)
  return (
    <div className="mx-auto max-w-3xl">
      <h2 className="sr-only">상세정보</h2>
      <div className={cn('relative overflow-hidden', long && !open && FOLDED_PX)}>
        {product.content ? (
          <div
            className="prose-shop"
            // The server sanitised it.
            dangerouslySetInnerHTML={{ __html: product.content }}
          />
        ) : (
          <p className="text-lg">{product.desc}</p>
        )}
        {long && !open && <div className="absolute inset-x-0 bottom-0 h-24 bg-linear-to-t from-paper to-transparent" />}
      </div>
      {long && !open && (
        <Button variant="outline" block className="mt-4" onClick={() => setOpen(true)}>
          상세정보 펼치기
        </Button>
      )}
      {product.bundleds.length > 0 && (
        <section className="mt-10">
          <h2 className="font-bold text-lg">{product.type === 'VARIETY_BUNDLE' ? '고를 수 있는 구성' : '세트 구성'}</h2>
          <ul className="mt-3 divide-y divide-line border-line border-y">
            {product.bundleds.map((part) => (
              <li key={`${part._product}${part._option}`} className="flex justify-between py-2.5">
                <span>{part.name}</span>
                <span className="figures text-ink-2">{part.quantity}개</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {product.supplies.length > 0 && (
        <section className="mt-10">
          <h2 className="font-bold text-lg">구성품</h2>
          <ul className="mt-3 divide-y divide-line border-line border-y">
            {product.supplies.map((supply) => (
              <li key={supply._id} className="flex justify-between py-2.5">
                <span>{supply.name}</span>
                <span className="figures text-ink-2">{supply.quantity}개</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Composition product={product} />
      <Notice product={product} />
    </div>
  )
}

/** 상품정보제공고시: what the e-commerce law wants said about the goods. */
function Notice({ product }: { product: ProductDetail }) {
  const { company } = useSetting()
  const seller = product.seller.nickname ?? '상세 문의'
  const rows = [
    ['품명 및 모델명', product.name],
    ['크기·용량', product.size],
    ['제조국', product.origin],
    ['제조자', product.manufacturer],
    ['판매자', product.seller.nickname],
    ['품질보증기준', '소비자분쟁해결기준에 따름'],
    ['A/S 책임자와 전화번호', company?.tel ? `${seller} (고객센터 ${company.tel})` : seller],
    // What its seller promises: the shop promises nothing of its own beside it.
    ['주문 후 예상 배송기간', product.shipping?.options[0]?.name],
  ]
  return (
    <section className="mt-10">
      <h2 className="font-bold text-lg">상품정보 제공고시</h2>
      <table className="mt-3 w-full border-line border-t text-sm">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name} className="border-line border-b">
              <th scope="row" className="w-32 bg-sunken px-4 py-2.5 text-left font-medium text-ink-2 md:w-44">
                {name}
              </th>
              <td className="px-4 py-2.5">{value || '상세정보 참조'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const RETURNS = [
  '상품을 받은 날부터 7일 안에 교환·반품을 신청할 수 있습니다.',
  '상품에 하자가 있거나 표시·광고와 다르면 받은 날부터 3개월, 그 사실을 안 날부터 30일 안에 신청할 수 있습니다.',
  '교환은 같은 상품이나, 같은 상품의 다른 옵션으로 할 수 있습니다. 더 저렴한 옵션은 차액을 돌려드리고, 더 비싼 옵션은 차액을 먼저 결제합니다.',
  '단순 변심으로 인한 교환·반품은 왕복 배송비를 구매자가 부담합니다. 상품이 다르거나 고장 난 경우에는 판매자가 부담합니다.',
  '조립했거나 주행한 탈것, 개봉한 주스는 단순 변심으로 교환·반품할 수 없습니다.',
]

function Delivery({ product }: { product: ProductDetail }) {
  const saidOf = (method?: string) => product.shipping?.methods.find((one) => one.method === method)?.desc
  return (
    <div className="mx-auto grid max-w-3xl gap-8">
      <section>
        <h2 className="font-bold text-lg">배송</h2>
        {(product.shipping?.options ?? []).map((option) => (
          <dl key={option._id} className="mt-3 grid grid-cols-[6rem_1fr] gap-y-1.5 text-sm">
            <dt className="text-ink-2">방법</dt>
            <dd>
              {methodText(option.method)}
              {option.name && ` · ${option.name}`}
            </dd>
            {option.region && (
              <>
                <dt className="text-ink-2">지역</dt>
                <dd>{option.region}</dd>
              </>
            )}
            {saidOf(option.method) && (
              <>
                <dt className="text-ink-2">안내</dt>
                <dd>{saidOf(option.method)}</dd>
              </>
            )}
            <dt className="text-ink-2">배송비</dt>
            <dd>
              {fareText(option)}
              {option.bundleType === 'piece' ? ' · 상품마다 따로' : ' · 같은 판매자 상품은 묶음배송'}
            </dd>
            {extraTexts(option).map((text) => (
              <dd key={text} className="col-start-2 text-ink-2">
                {text}
              </dd>
            ))}
          </dl>
        ))}
      </section>
      <section>
        <h2 className="font-bold text-lg">교환·반품</h2>
        <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-sm">
          {RETURNS.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
