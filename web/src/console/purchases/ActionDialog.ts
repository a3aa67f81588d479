// The dialog of an act, loaded when first opened.
export { PurchaseActionDialog as default } from './PurchaseActionDialog'
