// Every component of the UI kit on one page (/test): a reference for developers, and the subject of screenshots.
import { Heart, ShoppingBag, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LoginGateDialog } from '../../features/login/LoginGateDialog'
import { statusWords } from '../../i18n/statusWords'
import { Accordion } from '../../ui/Accordion'
import { Badge, StatusBadge } from '../../ui/Badge'
import { Breadcrumbs } from '../../ui/Breadcrumbs'
import { Button, ButtonLink, IconButton } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { Carousel } from '../../ui/Carousel'
import { Checkbox, Chips, RadioGroup } from '../../ui/Checkbox'
import { CountBadge } from '../../ui/CountBadge'
import { confirmDialog } from '../../ui/confirm'
import { type Column, DataTable, type Sort } from '../../ui/DataTable'
import { DateText, RelativeTime, TimeLeft } from '../../ui/DateText'
import { Dialog, Sheet } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { FilterGroup } from '../../ui/FilterGroup'
import { HeartButton } from '../../ui/HeartButton'
import { Histogram } from '../../ui/Histogram'
import { Zoom } from '../../ui/ImageLightbox'
import { Input, PasswordInput, PhoneInput, Select, Textarea } from '../../ui/Input'
import { Fare, Money, Price } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { NumberStepper } from '../../ui/NumberStepper'
import { Pagination } from '../../ui/Pagination'
import { Picture } from '../../ui/Picture'
import { ProgressBar } from '../../ui/ProgressBar'
import { RankDelta } from '../../ui/RankDelta'
import { Rating, RatingInput } from '../../ui/Rating'
import { RotatingText } from '../../ui/RotatingText'
import { ScrollRow } from '../../ui/ScrollRow'
import { Section } from '../../ui/Section'
import { Slider } from '../../ui/Slider'
import { Switch } from '../../ui/Switch'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import { Timeline } from '../../ui/Timeline'
import { Tooltip } from '../../ui/Tooltip'
import { toast } from '../../ui/toast'

type SampleRow = { no: string; name: string; status: string; claim?: string; text: string; paid: number; at: string }

const NOON = '2026-03-02T03:00:00Z'
const ROWS: SampleRow[] = [
  {
    no: '260302-0001-1',
    name: '로드 바이크 카본 R1',
    status: 'ORDER_PAYMENT',
    text: statusWords.orderStatus.ORDER_PAYMENT,
    paid: 129_000_00,
    at: NOON,
  },
  {
    no: '260302-0002-1',
    name: '착즙 오렌지 주스 6병',
    status: 'SHIPPING_CONFIRM',
    text: statusWords.orderStatus.SHIPPING_CONFIRM,
    paid: 2_490,
    at: NOON,
  },
  {
    no: '260301-0014-2',
    name: '접이식 미니벨로',
    status: 'DELIVERY_COMPLETE',
    claim: 'RETURN_REJECTED',
    text: '배송완료/반품거부',
    paid: 48_900,
    at: NOON,
  },
]
const COLUMNS: Column<SampleRow>[] = [
  {
    id: 'purchaseNo',
    header: '구매번호',
    cell: (row) => <span className="figures font-medium">{row.no}</span>,
    sortable: true,
  },
  { id: 'name', header: '상품', cell: (row) => row.name },
  {
    id: 'status',
    header: '상태',
    cell: (row) => <StatusBadge orderStatus={row.status} claimStatus={row.claim} statusText={row.text} />,
  },
  { id: 'paid', header: '결제금액', cell: (row) => <Money amount={row.paid} />, align: 'right', sortable: true },
  {
    id: 'createdAt',
    header: '주문일시',
    cell: (row) => <DateText value={row.at} style="datetime" className="figures text-ink-2" />,
  },
]
const PRODUCTS = [
  {
    code: 'BK-ROAD-01',
    name: '로드 바이크 카본 R1',
    seller: '한강바이크',
    price: 159_000,
    sale: 129_000,
    rate: 18,
    stars: 4.7,
    count: 128,
  },
  {
    code: 'BK-MINI-02',
    name: '접이식 미니벨로 20인치 시티',
    seller: '골목자전거',
    price: 48_900,
    sale: 48_900,
    rate: 0,
    stars: 4.4,
    count: 36,
  },
  {
    code: 'BK-CITY-03',
    name: '바구니가 달린 시티 바이크',
    seller: '골목자전거',
    price: 39_000,
    sale: 35_100,
    rate: 10,
    stars: 4.9,
    count: 412,
  },
  {
    code: 'JU-01',
    name: '착즙 오렌지 주스 250ml',
    seller: '아침과즙',
    price: 450,
    sale: 390,
    rate: 13,
    stars: 4.8,
    count: 2045,
  },
]

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-10">
      <h2 className="mb-5 font-bold text-xl">{title}</h2>
      {children}
    </section>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

export function Component() {
  return (
    <main id="content" className="shell pt-10">
      <Breadcrumbs steps={[{ label: '홈', to: '/' }, { label: 'UI 모음' }]} />
      <h1 className="mt-3 mb-8 font-extrabold text-3xl">UI 모음</h1>
      <Prices />
      <Buttons />
      <Forms />
      <Layers />
      <Lists />
      <ShopParts />
      <States />
    </main>
  )
}

function Prices() {
  return (
    <Part title="상품과 가격">
      <ul className="grid grid-cols-2 gap-x-4 gap-y-8 md:grid-cols-4 md:gap-x-6">
        {PRODUCTS.map((product, i) => (
          <li key={product.code} className="group">
            <Picture src={`/pictures/${product.code}.webp`} alt="" first>
              {i === 1 && (
                <Badge tone="ink" className="absolute top-3 left-3">
                  품절
                </Badge>
              )}
              <IconButton label="찜" className="absolute right-2 bottom-2">
                <Heart aria-hidden className="text-picture-ink" />
              </IconButton>
            </Picture>
            <p className="mt-3 text-ink-3 text-xs">{product.seller}</p>
            <p className="line-clamp-2 font-medium">{product.name}</p>
            <Price price={product.price} salePrice={product.sale} discountRate={product.rate} className="mt-1" />
            <Rating stars={product.stars} count={product.count} className="mt-1 text-xs" />
          </li>
        ))}
      </ul>
      <div className="mt-10 grid gap-8 md:grid-cols-2">
        <Price price={159_000} salePrice={129_000} discountRate={18} size="lg" />
        <Card title="결제 금액">
          <Facts
            rows={[
              { name: '상품금액', value: <Money amount={159_000} /> },
              { name: '할인', value: <Money amount={-30_000} className="text-accent" /> },
              { name: '배송비', value: <Fare amount={0} /> },
              { name: '결제예정금액', value: <Money amount={129_000} />, strong: true },
            ]}
          />
          <Button variant="accent" size="lg" block className="mt-5">
            <span>
              <Money amount={129_000} /> 결제하기
            </span>
          </Button>
        </Card>
      </div>
    </Part>
  )
}

function Buttons() {
  return (
    <Part title="버튼과 표식">
      <div className="grid gap-4">
        <Row>
          <Button variant="accent">바로구매</Button>
          <Button>장바구니</Button>
          <Button variant="outline">더보기</Button>
          <Button variant="ghost">취소</Button>
          <Button variant="danger">삭제</Button>
          <Button busy>저장</Button>
          <Button disabled>품절</Button>
          <Tooltip text="이 상품을 지웁니다">
            <IconButton label="삭제">
              <Trash2 aria-hidden />
            </IconButton>
          </Tooltip>
        </Row>
        <Row>
          <Button size="sm" variant="outline">
            배송조회
          </Button>
          <Button size="sm">구매확정</Button>
          <ButtonLink to="/" size="lg" variant="accent">
            <ShoppingBag aria-hidden />
            전체 상품
          </ButtonLink>
        </Row>
        <Row>
          <Badge tone="accent">무료배송</Badge>
          <Badge tone="ink">BEST</Badge>
          <StatusBadge orderStatus="ORDER_NONPAYMENT" statusText={statusWords.orderStatus.ORDER_NONPAYMENT} />
          <StatusBadge orderStatus="ORDER_CONFIRM" statusText={statusWords.orderStatus.ORDER_CONFIRM} />
          <StatusBadge
            orderStatus="DELIVERY_COMPLETE"
            purchaseStatus="PURCHASE_COMPLETE"
            statusText={statusWords.purchaseStatus.PURCHASE_COMPLETE}
          />
          <StatusBadge orderStatus="DELIVERY_COMPLETE" claimStatus="EXCHANGE_REJECTED" statusText="배송완료/교환거부" />
          <StatusBadge orderStatus="ORDER_CANCELED" statusText={statusWords.orderStatus.ORDER_CANCELED} />
        </Row>
        <Row>
          <DateText value={NOON} /> · <DateText value={NOON} style="datetime" /> ·{' '}
          <DateText value={NOON} style="long" /> · <RelativeTime value={NOON} /> ·{' '}
          <TimeLeft until="2999-12-31T00:00:00Z" />
        </Row>
      </div>
    </Part>
  )
}

function Forms() {
  const [quantity, setQuantity] = useState(1)
  const [phone, setPhone] = useState('01012345678')
  const [method, setMethod] = useState('card')
  const [period, setPeriod] = useState('3')
  const [range, setRange] = useState([20, 70])
  const [stars, setStars] = useState(4)
  return (
    <Part title="입력">
      <div className="grid max-w-3xl gap-6 sm:grid-cols-2">
        <Field label="이름" hint="받으시는 분의 이름" required>
          <Input placeholder="홍길동" />
        </Field>
        <Field label="이메일" error="이메일을 올바른 형식으로 입력해 주세요." required>
          <Input defaultValue="hong@" />
        </Field>
        <Field label="비밀번호">
          <PasswordInput defaultValue="secret!123" />
        </Field>
        <Field label="휴대폰 번호">
          <PhoneInput value={phone} onValueChange={setPhone} />
        </Field>
        <Field label="배송 메시지">
          <Select
            placeholder="선택해 주세요"
            options={[
              { value: 'door', label: '문 앞에 놓아 주세요' },
              { value: 'guard', label: '경비실에 맡겨 주세요' },
            ]}
          />
        </Field>
        <div className="flex flex-col gap-1.5">
          <span className="font-medium text-sm">수량</span>
          <NumberStepper value={quantity} onValueChange={setQuantity} max={9} className="w-fit" />
        </div>
        <Field label="내용" className="sm:col-span-2">
          <Textarea placeholder="상품은 어떠셨나요?" />
        </Field>
        <RadioGroup
          className="sm:col-span-2"
          legend="결제수단"
          look="card"
          value={method}
          onValueChange={setMethod}
          options={[
            { value: 'card', label: '카드', text: '모든 카드, 할부' },
            { value: 'vbank', label: '가상계좌', text: '24시간 안에 입금' },
          ]}
        />
        <div className="grid gap-3">
          <Checkbox label="기본 배송지로 저장" defaultChecked />
          <Checkbox label="일부만 선택됨" indeterminate />
          <Checkbox label="고를 수 없음" disabled />
        </div>
        <div className="grid gap-4">
          <Slider labels={['가격 최소', '가격 최대']} values={range} onValues={setRange} max={100} />
          <RatingInput value={stars} onValueChange={setStars} />
        </div>
      </div>
      <Chips
        label="기간"
        className="mt-6"
        value={period}
        onValueChange={setPeriod}
        options={[
          { value: '1', label: '1개월' },
          { value: '3', label: '3개월', count: 12 },
          { value: '6', label: '6개월' },
          { value: '12', label: '1년' },
        ]}
      />
    </Part>
  )
}

function Layers() {
  const [dialog, setDialog] = useState(false)
  const [members, setMembers] = useState(false)
  const [side, setSide] = useState<'right' | 'bottom'>()
  return (
    <Part title="창과 알림">
      <Row>
        <Button variant="outline" onClick={() => setDialog(true)}>
          대화창
        </Button>
        <Button variant="outline" onClick={() => setMembers(true)}>
          회원 대화창
        </Button>
        <Button variant="outline" onClick={() => setSide('right')}>
          옆 서랍
        </Button>
        <Button variant="outline" onClick={() => setSide('bottom')}>
          아래 서랍
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            void confirmDialog({ title: '주문을 취소할까요?', text: '결제한 금액은 바로 환불됩니다.', danger: true })
          }
        >
          물어보기
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            void toast('장바구니에 담았습니다.', {
              tone: 'success',
              action: { label: '보기', onClick: () => undefined },
            })
          }
        >
          알림
        </Button>
      </Row>
      <Dialog
        open={dialog}
        onOpenChange={setDialog}
        title="배송지"
        description="어디로 보내 드릴까요?"
        footer={<Button onClick={() => setDialog(false)}>저장</Button>}
      >
        <Field label="받는 분">
          <Input />
        </Field>
      </Dialog>
      <LoginGateDialog open={members} onOpenChange={setMembers} title="입점 문의" userTypes={['COMPANY']}>
        <p>사업자회원에게만 보입니다.</p>
      </LoginGateDialog>
      <Sheet
        open={side !== undefined}
        onOpenChange={() => setSide(undefined)}
        side={side}
        title="옵션 선택"
        footer={<Button variant="accent">바로구매</Button>}
      >
        <p>색상과 수량을 골라 주세요.</p>
      </Sheet>
    </Part>
  )
}

function Lists() {
  const [page, setPage] = useState(7)
  const [sort, setSort] = useState<Sort>()
  const [selected, setSelected] = useState<string[]>([])
  return (
    <Part title="목록">
      <Tabs
        label="상품 정보"
        tabs={[
          {
            value: 'table',
            label: '표',
            content: (
              <DataTable
                caption="구매 목록"
                columns={COLUMNS}
                rows={ROWS}
                rowId={(row) => row.no}
                total={240}
                page={page}
                size={12}
                onPage={setPage}
                sort={sort}
                onSort={setSort}
                selected={selected}
                onSelected={setSelected}
                bulkActions={<Button size="sm">배송 처리</Button>}
                renderMobileRow={(row) => (
                  <>
                    <div className="flex justify-between gap-2">
                      <span className="figures text-ink-3 text-sm">{row.no}</span>
                      <StatusBadge orderStatus={row.status} claimStatus={row.claim} statusText={row.text} />
                    </div>
                    <p className="mt-1 font-medium">{row.name}</p>
                    <Money amount={row.paid} className="font-bold" />
                  </>
                )}
              />
            ),
          },
          {
            value: 'timeline',
            label: '이력',
            count: 3,
            content: (
              <Timeline
                label="주문 이력"
                className="max-w-xl"
                items={[
                  { key: '3', at: NOON, title: '배송 시작', text: '한진택배 5012-3344-1200', tone: 'busy' },
                  { key: '2', at: NOON, title: '결제 승인', text: '카드 · $1,290.00', tone: 'good' },
                  { key: '1', at: NOON, title: '주문', text: '홍길동' },
                ]}
              />
            ),
          },
        ]}
      />
      <Pagination label="링크로 된 페이지" className="mt-6" page={1} pages={3} hrefOf={(n) => `/test?page=${n}`} />
    </Part>
  )
}

const CHANGES = ['new', 'up', 'down', 'same'] as const

function ShopParts() {
  const [liked, setLiked] = useState(true)
  const [on, setOn] = useState(true)
  const [at, setAt] = useState(0)
  return (
    <Part title="상점의 부품">
      <div className="grid gap-8 md:grid-cols-2">
        <div className="grid content-start gap-5">
          <Row>
            <span className="rounded-lg bg-picture p-3">
              <HeartButton on={liked} label="찜하기" onToggle={() => setLiked(!liked)} />
            </span>
            <HeartButton on={liked} look="box" label="상자 찜하기" onToggle={() => setLiked(!liked)} />
            <span className="relative">
              <ShoppingBag aria-hidden className="size-7" />
              <CountBadge count={12} />
            </span>
            {CHANGES.map((change) => (
              <RankDelta key={change} change={change} by={change === 'up' || change === 'down' ? 3 : undefined} />
            ))}
          </Row>
          <RotatingText
            label="인기 검색어"
            className="max-w-60 rounded-sm"
            items={['로드 자전거', '전동킥보드', '착즙주스'].map((word) => ({ key: word, content: word }))}
          />
          <Switch label="알림 받기" text="끄면 새 알림 수를 표시하지 않습니다." on={on} onToggle={setOn} />
          <Switch label="바꿀 수 없음" on={false} disabled onToggle={() => undefined} />
          <ProgressBar label="무료배송까지" value={3400} max={5000} />
          <Histogram counts={{ 5: 96, 4: 21, 3: 7, 2: 2, 1: 2 }} />
          <Accordion
            folds={[
              { key: 'a', title: '언제 도착하나요?', content: '결제한 다음 영업일에 보냅니다.', open: true },
              { key: 'b', title: '조립해서 오나요?', content: '핸들과 페달만 달면 탈 수 있습니다.' },
            ]}
          />
        </div>
        <div className="grid content-start gap-3">
          <Notice>보통 알림입니다.</Notice>
          <Notice tone="info">둘러보기용 결제창이 열립니다.</Notice>
          <Notice tone="good">쿠폰을 받았습니다.</Notice>
          <Notice tone="warning">재고가 세 개 남았습니다.</Notice>
          <Notice tone="bad">결제를 마치지 못했습니다.</Notice>
          <FilterGroup
            title="브랜드"
            choices={[
              { key: 'a', label: '바람', on: true, count: 4, to: '/test' },
              { key: 'b', label: '한강', on: false, count: 6, to: '/test' },
            ]}
          />
          <Zoom
            name="바람 로드 105"
            pictures={PRODUCTS.map(({ code }) => ({ url: `/pictures/${code}.webp` }))}
            at={at}
            onAt={setAt}
            className="max-w-56"
          />
        </div>
      </div>
      <Section
        title="가로로 넘기는 줄"
        lead="휴대폰에서는 밀고, 책상에서는 화살표로."
        more={{ to: '/shop/products' }}
        className="mt-10"
      >
        <ScrollRow
          label="상품 줄"
          itemClass="w-40"
          items={[...PRODUCTS, ...PRODUCTS].map(({ code, name }, i) => ({
            key: `${code}-${i}`,
            content: (
              <>
                <Picture src={`/pictures/${code}.webp`} alt="" round={i === 0} />
                <p className="mt-2 truncate text-sm">{name}</p>
              </>
            ),
          }))}
        />
      </Section>
    </Part>
  )
}

function States() {
  return (
    <Part title="빈 화면, 오류, 기다림">
      <Carousel
        label="배너"
        className="mb-8 rounded-xl"
        slides={['한강 라이딩의 계절', '아침을 여는 착즙 주스'].map((headline) => ({
          key: headline,
          content: <div className="flex h-56 items-center bg-sunken px-8 font-extrabold text-3xl">{headline}</div>,
        }))}
      />
      <div className="grid gap-4 md:grid-cols-3">
        <Card noPadding>
          <EmptyState
            title="장바구니가 비어 있습니다"
            text="마음에 드는 상품을 담아 보세요."
            action={<ButtonLink to="/">쇼핑하기</ButtonLink>}
          />
        </Card>
        <Card noPadding>
          <ErrorState
            error={{ message: '잠시 후 다시 시도해 주세요.', requestId: 'a1b2c3' }}
            onRetry={() => undefined}
          />
        </Card>
        <Card>
          <Loading className="grid gap-3">
            <Skeleton className="aspect-square w-full" />
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-5 w-1/3" />
          </Loading>
        </Card>
      </div>
    </Part>
  )
}
