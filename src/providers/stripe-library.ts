import { createRequire } from 'node:module';
import type Stripe from 'stripe';

const require = createRequire(import.meta.url);

/** Stripe's own client, two hundred files that are loaded with the first request to it: most processes never make one. */
export const stripeLibrary = (): typeof Stripe => require('stripe') as typeof Stripe;
