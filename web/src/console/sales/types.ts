// Sales as the server sums them. Amounts are whole hundredths.
export type Sales = { orders: number; quantity: number; sales: number; canceled: number }
type Answer = { summary: Sales; days: { from: string; to: string } }

export type Daily = Answer & { dailySales: (Sales & { day: string })[] }
export type Monthly = Answer & { monthlySales: (Sales & { month: string })[] }
export type Weekdays = Answer & { dayOfWeekSales: (Sales & { dayOfWeek: number })[] }
export type Products = Answer & { productsSales: (Sales & { _product: string; name: string })[] }

/** A bar or a point: what it is called, and how much was sold and taken back. */
export type Point = Sales & { label: string }

/** What a number is: an amount in hundredths, or how many of what. */
export type Unit = 'amount' | 'orders' | 'pieces'
