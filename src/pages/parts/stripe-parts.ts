// Stripe's fields, bundled so that one file is loaded when a field is first shown.

export { StripeCode } from './stripe-code.tsx';
export { StripeEntry } from './stripe-entry.tsx';
