import { type PageRoute, pages } from './page-route.ts';

export type { PageRoute };

// The list of pages. Nothing else knows their paths. A page is a folder in `pages/`, a line here, and its words.

export const routes = pages({
  welcome: {
    path: '/welcome',
    parent: 'home',
    environment: 'sandbox',
    load: () => import('./pages/welcome/page.tsx'),
  },
  home: { path: '/', icon: 'home', shortcut: 'h', load: () => import('./pages/home/page.tsx') },

  // Customers and subscriptions
  customers: {
    path: '/customers',
    icon: 'customers',
    shortcut: 'c',
    load: () => import('./pages/customers/list.tsx'),
  },
  customer: { path: '/customers/$id', parent: 'customers', load: () => import('./pages/customers/page.tsx') },
  subscriptions: {
    path: '/subscriptions',
    icon: 'subscriptions',
    shortcut: 's',
    load: () => import('./pages/subscriptions/list.tsx'),
  },
  subscription: {
    path: '/subscriptions/$id',
    parent: 'subscriptions',
    load: () => import('./pages/subscriptions/page.tsx'),
  },

  // Catalog
  plans: {
    path: '/plans',
    group: 'catalog',
    shortcut: 'p',
    load: () => import('./pages/catalog/plans/page.tsx'),
  },
  planNew: { path: '/plans/new', parent: 'plans', load: () => import('./pages/catalog/new-plan/page.tsx') },
  plan: { path: '/plans/$id', parent: 'plans', load: () => import('./pages/catalog/plan/page.tsx') },
  features: { path: '/features', group: 'catalog', load: () => import('./pages/catalog/features/page.tsx') },
  prices: { path: '/markets', group: 'catalog', load: () => import('./pages/catalog/markets/page.tsx') },
  addons: { path: '/add-ons', group: 'catalog', load: () => import('./pages/catalog/add-ons/page.tsx') },
  creditPacks: {
    path: '/credit-packs',
    group: 'catalog',
    load: () => import('./pages/catalog/credit-packs/page.tsx'),
  },
  pricingTables: {
    path: '/pricing-tables',
    group: 'catalog',
    load: () => import('./pages/catalog/pricing-tables/page.tsx'),
  },
  offers: { path: '/offers', group: 'catalog', load: () => import('./pages/catalog/offers/page.tsx') },
  promoCodes: {
    path: '/promo-codes',
    group: 'catalog',
    load: () => import('./pages/catalog/promo-codes/page.tsx'),
  },
  cardPromotions: {
    path: '/card-promotions',
    group: 'catalog',
    load: () => import('./pages/catalog/card-promotions/page.tsx'),
  },
  aiModels: {
    path: '/ai-models',
    group: 'catalog',
    load: () => import('./pages/catalog/ai-models/page.tsx'),
  },

  // Billing
  invoices: {
    path: '/invoices',
    group: 'billing',
    shortcut: 'i',
    load: () => import('./pages/invoices/page.tsx'),
  },
  invoice: {
    path: '/invoices/$id',
    parent: 'invoices',
    load: () => import('./pages/invoices/invoice-page.tsx'),
  },
  payments: {
    path: '/payments',
    group: 'billing',
    shortcut: 'm',
    load: () => import('./pages/payments/page.tsx'),
  },
  payment: {
    path: '/payments/$id',
    parent: 'payments',
    load: () => import('./pages/payments/transaction-page.tsx'),
  },
  refunds: {
    path: '/refunds',
    parent: 'payments',
    load: () => import('./pages/payments/refunds-page.tsx'),
  },
  disputes: {
    path: '/disputes',
    parent: 'payments',
    load: () => import('./pages/payments/disputes-page.tsx'),
  },
  paymentLinks: {
    path: '/payment-links',
    parent: 'payments',
    load: () => import('./pages/payments/links-page.tsx'),
  },
  payouts: { path: '/payouts', group: 'billing', load: () => import('./pages/payouts/page.tsx') },
  balance: {
    path: '/balance',
    parent: 'payouts',
    load: () => import('./pages/payouts/balance-page.tsx'),
  },

  // Usage
  usage: { path: '/usage', icon: 'usage', shortcut: 'u', load: () => import('./pages/usage/page.tsx') },

  // Reports
  metrics: { path: '/metrics', group: 'reports', load: () => import('./pages/metrics/page.tsx') },
  exports: { path: '/exports', group: 'reports', load: () => import('./pages/exports/page.tsx') },

  // Books
  ledger: { path: '/ledger', group: 'books', shortcut: 'l', load: () => import('./pages/ledger/page.tsx') },

  // Time machine
  timeMachine: {
    path: '/time-machine',
    icon: 'time',
    shortcut: 't',
    environment: 'sandbox',
    load: () => import('./pages/time-machine/page.tsx'),
  },

  // Developers
  developers: {
    path: '/developers',
    group: 'developers',
    load: () => import('./pages/developers/page.tsx'),
  },
  explorer: {
    path: '/developers/explorer',
    group: 'developers',
    shortcut: 'x',
    load: () => import('./pages/explorer/page.tsx'),
  },
  webhooks: {
    path: '/webhooks',
    group: 'developers',
    shortcut: 'w',
    role: 'admin',
    load: () => import('./pages/webhooks/page.tsx'),
  },
  webhook: {
    path: '/webhooks/$id',
    parent: 'webhooks',
    role: 'admin',
    load: () => import('./pages/webhooks/endpoint-page.tsx'),
  },
  webhookDeliveries: {
    path: '/webhook-deliveries',
    parent: 'webhooks',
    role: 'admin',
    load: () => import('./pages/webhooks/deliveries-page.tsx'),
  },
  events: {
    path: '/events',
    group: 'developers',
    shortcut: 'e',
    load: () => import('./pages/developers/events-page.tsx'),
  },
  emails: { path: '/emails', group: 'developers', load: () => import('./pages/developers/emails-page.tsx') },
  apiKeys: {
    path: '/api-keys',
    group: 'developers',
    role: 'admin',
    load: () => import('./pages/developers/keys-page.tsx'),
  },

  // Settings
  organization: {
    path: '/settings/organization',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/organization.tsx'),
  },
  branding: {
    path: '/settings/branding',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/branding.tsx'),
  },
  customerPages: {
    path: '/settings/customer-pages',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/customer-pages.tsx'),
  },
  emailSettings: {
    path: '/settings/emails',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/emails.tsx'),
  },
  members: {
    path: '/settings/members',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/members.tsx'),
  },
  taxes: {
    path: '/settings/taxes',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/taxes.tsx'),
  },
  paymentSettings: {
    path: '/settings/payment-providers',
    group: 'settings',
    role: 'admin',
    load: () => import('./pages/settings/providers.tsx'),
  },
  account: { path: '/account', group: 'settings', load: () => import('./pages/account/page.tsx') },
});
