import { pages } from './page-route.ts';

// List of pages and the only file with their paths. A page consists of a folder in `pages/`, an entry in this list, a line in `page-modules.ts`, and its
// messages.

export const routes = pages({
  welcome: {
    path: '/welcome',
    parent: 'home',
  },
  home: { path: '/', icon: 'home', shortcut: 'h' },

  // Pages for customers and subscriptions
  customers: {
    path: '/customers',
    icon: 'customers',
    shortcut: 'c',
  },
  customer: { path: '/customers/$id', parent: 'customers' },
  subscriptions: {
    path: '/subscriptions',
    icon: 'subscriptions',
    shortcut: 's',
  },
  subscription: {
    path: '/subscriptions/$id',
    parent: 'subscriptions',
  },

  // Catalog pages
  plans: {
    path: '/plans',
    group: 'catalog',
    shortcut: 'p',
  },
  planNew: { path: '/plans/new', parent: 'plans', hiddenFrom: ['read_only', 'support', 'finance'] },
  plan: { path: '/plans/$id', parent: 'plans' },
  features: { path: '/features', group: 'catalog' },
  prices: { path: '/markets', group: 'catalog' },
  addons: { path: '/add-ons', group: 'catalog' },
  rateCards: { path: '/rate-cards', group: 'catalog' },
  creditPacks: {
    path: '/credit-packs',
    group: 'catalog',
  },
  assets: { path: '/assets', group: 'catalog' },
  pricingTables: {
    path: '/pricing-tables',
    group: 'catalog',
  },
  offers: { path: '/offers', group: 'catalog' },
  promoCodes: {
    path: '/promo-codes',
    group: 'catalog',
  },
  cardPromotions: {
    path: '/card-promotions',
    group: 'catalog',
  },
  aiModels: {
    path: '/ai-models',
    group: 'catalog',
  },

  // Billing pages
  invoices: {
    path: '/invoices',
    group: 'billing',
    shortcut: 'i',
  },
  invoice: {
    path: '/invoices/$id',
    parent: 'invoices',
  },
  creditNotes: {
    path: '/credit-notes',
    parent: 'invoices',
  },
  payments: {
    path: '/payments',
    group: 'billing',
    shortcut: 'm',
  },
  payment: {
    path: '/payments/$id',
    parent: 'payments',
  },
  refunds: {
    path: '/refunds',
    parent: 'payments',
  },
  disputes: {
    path: '/disputes',
    parent: 'payments',
  },
  paymentLinks: {
    path: '/payment-links',
    parent: 'payments',
  },
  payouts: { path: '/payouts', group: 'billing', hiddenFrom: ['support'] },
  balance: {
    path: '/balance',
    parent: 'payouts',
    hiddenFrom: ['support'],
  },

  // Usage pages
  usage: { path: '/usage', icon: 'usage', shortcut: 'u' },
  usageLimits: { path: '/usage/limits', parent: 'usage' },
  usageHolds: { path: '/usage/holds', parent: 'usage' },

  // Report pages
  metrics: { path: '/metrics', group: 'reports' },
  exports: { path: '/exports', group: 'reports' },

  // Accounting page
  ledger: { path: '/ledger', group: 'books', shortcut: 'l' },

  // Time machine page
  timeMachine: {
    path: '/time-machine',
    icon: 'time',
    shortcut: 't',
    environment: 'sandbox',
  },

  // Developer pages
  developers: {
    path: '/developers',
    group: 'developers',
  },
  explorer: {
    path: '/developers/explorer',
    group: 'developers',
    shortcut: 'x',
  },
  webhooks: {
    path: '/webhooks',
    group: 'developers',
    shortcut: 'w',
    role: 'admin',
  },
  webhook: {
    path: '/webhooks/$id',
    parent: 'webhooks',
    role: 'admin',
  },
  webhookDeliveries: {
    path: '/webhook-deliveries',
    parent: 'webhooks',
    role: 'admin',
  },
  events: {
    path: '/events',
    group: 'developers',
    shortcut: 'e',
  },
  requests: {
    path: '/developers/requests',
    group: 'developers',
    role: 'admin',
  },
  emails: { path: '/emails', group: 'developers' },
  approvals: { path: '/approvals', group: 'developers' },
  approval: { path: '/approvals/$id', parent: 'approvals' },
  apiKeys: {
    path: '/api-keys',
    group: 'developers',
    role: 'admin',
  },
  device: {
    path: '/device',
    parent: 'apiKeys',
    role: 'admin',
  },
  connect: {
    path: '/connect',
    parent: 'apiKeys',
    role: 'admin',
  },

  // Settings pages
  organization: {
    path: '/settings/organization',
    group: 'settings',
    role: 'admin',
  },
  branding: {
    path: '/settings/branding',
    group: 'settings',
    role: 'admin',
  },
  customerPages: {
    path: '/settings/customer-pages',
    group: 'settings',
    role: 'admin',
  },
  emailSettings: {
    path: '/settings/emails',
    group: 'settings',
    role: 'admin',
  },
  members: {
    path: '/settings/members',
    group: 'settings',
    role: 'admin',
  },
  auditLog: {
    path: '/settings/audit-log',
    group: 'settings',
    role: 'admin',
  },
  taxes: {
    path: '/settings/taxes',
    group: 'settings',
    role: 'admin',
  },
  paymentSettings: {
    path: '/settings/payment-providers',
    group: 'settings',
    role: 'admin',
  },
  account: { path: '/account', group: 'settings' },
});
