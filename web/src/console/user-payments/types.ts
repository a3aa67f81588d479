// Types of the list of user payments.
import type { components } from '../../api/schema.gen'

export type UserPayment = components['schemas']['UserPaymentView']
