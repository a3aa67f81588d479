// One line of the cart.
import { X } from 'lucide-react'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { IconButton } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { once } from '../../ui/ignoreDoubleClick'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { NumberStepper } from '../../ui/NumberStepper'
import { Picture } from '../../ui/Picture'
import { buyable, type CartItem } from './items'

type CartLineRowProps = {
  item: CartItem
  selected: boolean
  onSelected: (selected: boolean) => void
  onQuantity: (quantity: number) => void
  onRemove: () => void
}

export function CartLineRow({ item, selected, onSelected, onQuantity, onRemove }: CartLineRowProps) {
  const { wish, name, optionName, stock, soldOut } = item
  const called = optionName ? `${name} (${optionName})` : name
  const short = !soldOut && wish.quantity > stock
  return (
    <li className="flex gap-3 py-5">
      <Checkbox
        label={`${called} 선택`}
        hideLabel
        checked={selected}
        disabled={!buyable(item)}
        onChange={(event) => onSelected(event.target.checked)}
        className="pt-1"
      />
      <Link
        to={`/shop/products/${wish._product}`}
        className={cn('w-20 shrink-0 self-start rounded-lg md:w-26', soldOut && 'opacity-50')}
      >
        <Picture src={item.thumb} alt="" sizes="104px" />
        <span className="sr-only">{called} 상품 보기</span>
      </Link>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <p className={cn('font-medium leading-snug', soldOut && 'text-ink-3')}>{name}</p>
            {optionName && <p className="mt-0.5 text-ink-3 text-sm">{optionName}</p>}
          </div>
          <IconButton
            label={`${called} ${ko.action.remove}`}
            size="sm"
            className="-mt-1 -mr-2"
            onClick={once(onRemove)}
          >
            <X aria-hidden />
          </IconButton>
        </div>
        {short && (
          <p role="alert" className="mt-1 text-danger text-sm">
            {stock}개만 남았습니다. 수량을 줄여 주세요.
          </p>
        )}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-3">
          {soldOut ? (
            <Badge tone="ink">품절</Badge>
          ) : (
            <NumberStepper
              size="sm"
              label={`${called} 수량`}
              value={wish.quantity}
              max={Math.max(1, stock)}
              onValueChange={onQuantity}
            />
          )}
          <span className="ml-auto text-right">
            {item.salePrice < item.price && !soldOut && (
              <s className="block text-ink-3 text-xs">
                <span className="sr-only">정가 </span>
                <Money amount={item.price * wish.quantity} />
              </s>
            )}
            <Money
              amount={item.salePrice * wish.quantity}
              className={cn('font-bold', soldOut && 'text-ink-3 line-through')}
            />
            {wish.quantity > 1 && (
              <span className="block text-ink-3 text-xs">
                개당 <Money amount={item.salePrice} />
              </span>
            )}
          </span>
        </div>
      </div>
    </li>
  )
}
