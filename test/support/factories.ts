// What tests stand on, by capability.

export * from './factories/catalog.ts';
export * from './factories/countries.ts';
export * from './factories/customers.ts';
export * from './factories/offers.ts';
export * from './factories/organizations.ts';
export * from './factories/payment-connections.ts';
export * from './factories/payments.ts';
export * from './factories/pricing-tables.ts';
export { firstShop, type Made, otherShop, type Shop, shopOf } from './factories/shop.ts';
export * from './factories/subscriptions.ts';
export * from './factories/webhooks.ts';
