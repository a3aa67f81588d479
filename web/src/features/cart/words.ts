// Texts of the cart.
export const cartWords = {
  added: '장바구니에 담았습니다.',
  look: '장바구니 보기',
  leftBehind: '장바구니로 옮기지 못한 상품이 있습니다.',
  notSold: '지금은 판매하지 않는 상품입니다.',
  refusal: (name: string | undefined, why: string) => `${name ?? '상품'}: ${why}`,
}
