'use client';

// React components of the billing API. Keys stay on the server: components get data as props, and call functions of your app.

export { Entitled, UsageMeter } from './entitled.tsx';
export { type PlanPrice, type PricedPlan, PricingTable, type PricingTableProps } from './pricing-table.tsx';
export { type ProviderProps, QuittanceProvider, useEntitlement, useQuittance } from './provider.tsx';
export { CheckoutButton, PortalButton, type RedirectButtonProps } from './redirect-button.tsx';
export type { CustomerSnapshot, FeatureSnapshot } from './snapshot.ts';
export type { Texts } from './texts.ts';
