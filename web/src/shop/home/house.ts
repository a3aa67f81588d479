// What the slider shows while nobody has put up a banner: the shop's own pictures, one for each kind of goods.
import type { Slide } from '../../api/shelf'

const own = (code: string, category: string, title: string, description: string): Slide => ({
  _id: `house-${code}`,
  image: { url: `/pictures/${code}.webp`, alt: title },
  url: `/shop/products?category=${category}`,
  meta: { title, description },
})

export const HOUSE_SLIDES: readonly Slide[] = [
  own(
    'BK-ROAD-01',
    'bicycle',
    '오래 타는\n자전거',
    '첫 로드부터 장바구니 단 생활 자전거까지. 몸에 맞는 한 대를 고르세요.',
  ),
  own('SC-01', 'scooter', '동네를 가볍게,\n스쿠터', '출근길 열 정거장이 십오 분이 됩니다.'),
  own('JU-01', 'juice', '달린 뒤에는\n갓 짠 주스', '그날 짜서 그날 보냅니다. 네 병부터 담아 보세요.'),
]

/** The shop's own slides are nobody's banner and are not counted. */
export const isHouse = ({ _id }: Slide): boolean => _id.startsWith('house-')
