// Stripe's fields, loaded together where one of them is shown.

export { StripeCode } from './stripe-code.tsx';
export { StripeEntry } from './stripe-entry.tsx';
