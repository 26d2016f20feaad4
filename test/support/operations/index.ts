import { operations as addOns } from './add-ons.ts';
import { operations as aiModels } from './ai-models.ts';
import { operations as apiKeys } from './api-keys.ts';
import { operations as approvals } from './approvals.ts';
import { operations as autoTopUps } from './auto-topups.ts';
import { operations as bankAccounts } from './bank-accounts.ts';
import { operations as cardPromotions } from './card-promotions.ts';
import { operations as catalogImpact } from './catalog-impact.ts';
import { operations as checkout } from './checkout.ts';
import { operations as commitments } from './commitments.ts';
import { operations as consumption } from './consumption.ts';
import { operations as countries } from './countries.ts';
import { operations as creditNotes } from './credit-notes.ts';
import { operations as creditPacks } from './credit-packs.ts';
import { operations as currencies } from './currencies.ts';
import { operations as customerCredits } from './customer-credits.ts';
import { operations as customerNotes } from './customer-notes.ts';
import { operations as customers } from './customers.ts';
import { operations as emails } from './emails.ts';
import { operations as events } from './events.ts';
import { operations as exampleShop } from './example-shop.ts';
import { operations as exports } from './exports.ts';
import { operations as featureAccess } from './feature-access.ts';
import { operations as features } from './features.ts';
import { operations as fxRates } from './fx-rates.ts';
import { operations as holds } from './holds.ts';
import { operations as invoices } from './invoices.ts';
import { operations as ledger } from './ledger.ts';
import { operations as limits } from './limits.ts';
import { operations as lots } from './lots.ts';
import { operations as mandates } from './mandates.ts';
import { operations as markets } from './markets.ts';
import { operations as members } from './members.ts';
import { operations as metrics } from './metrics.ts';
import { operations as metricsCash } from './metrics-cash.ts';
import { operations as offerApplications } from './offer-applications.ts';
import { operations as offers } from './offers.ts';
import { operations as organizations } from './organizations.ts';
import { operations as overview } from './overview.ts';
import { operations as paymentConnections } from './payment-connections.ts';
import { operations as paymentLinks } from './payment-links.ts';
import { operations as payments } from './payments.ts';
import { operations as payoutVerification } from './payout-verification.ts';
import { operations as payouts } from './payouts.ts';
import { operations as planChanges } from './plan-changes.ts';
import { operations as planFeatures } from './plan-features.ts';
import { operations as planGrants } from './plan-grants.ts';
import { operations as planGroups } from './plan-groups.ts';
import { operations as planPools } from './plan-pools.ts';
import { operations as planPrices } from './plan-prices.ts';
import { operations as plans } from './plans.ts';
import { operations as portal } from './portal.ts';
import { operations as previews } from './previews.ts';
import { operations as pricingTables } from './pricing-tables.ts';
import { operations as promoCodes } from './promo-codes.ts';
import { operations as provisioning } from './provisioning.ts';
import { operations as purchases } from './purchases.ts';
import { operations as quota } from './quota.ts';
import { operations as rates } from './rates.ts';
import { operations as receipts } from './receipts.ts';
import { operations as reconciliation } from './reconciliation.ts';
import { operations as recovery } from './recovery.ts';
import { operations as recoveryLinks } from './recovery-links.ts';
import { operations as regionalPricing } from './regional-pricing.ts';
import { operations as requestLog } from './request-log.ts';
import { operations as savedViews } from './saved-views.ts';
import { operations as seats } from './seats.ts';
import { operations as subscriptions } from './subscriptions.ts';
import { operations as taxRegistrations } from './tax-registrations.ts';
import { operations as testClock } from './test-clock.ts';
import { operations as transactions } from './transactions.ts';
import type { ModuleOperations } from './types.ts';
import { operations as usage } from './usage.ts';
import { operations as usageCorrections } from './usage-corrections.ts';
import { operations as webhooks } from './webhooks.ts';

// Sample requests for every operation, one file per module.

const modules: readonly ModuleOperations[] = [
  addOns,
  aiModels,
  apiKeys,
  approvals,
  bankAccounts,
  cardPromotions,
  catalogImpact,
  receipts,
  checkout,
  consumption,
  autoTopUps,
  commitments,
  countries,
  creditNotes,
  creditPacks,
  currencies,
  customerCredits,
  customerNotes,
  customers,
  emails,
  events,
  exampleShop,
  exports,
  featureAccess,
  features,
  fxRates,
  invoices,
  ledger,
  holds,
  limits,
  lots,
  mandates,
  markets,
  members,
  metrics,
  metricsCash,
  offerApplications,
  offers,
  organizations,
  overview,
  paymentConnections,
  paymentLinks,
  payments,
  payoutVerification,
  payouts,
  planChanges,
  planFeatures,
  planPools,
  planGrants,
  planGroups,
  planPrices,
  plans,
  portal,
  previews,
  pricingTables,
  promoCodes,
  provisioning,
  purchases,
  quota,
  rates,
  reconciliation,
  recovery,
  recoveryLinks,
  regionalPricing,
  requestLog,
  savedViews,
  seats,
  subscriptions,
  taxRegistrations,
  testClock,
  transactions,
  usage,
  usageCorrections,
  webhooks,
];

/** Merges all modules' entries. Throws for a duplicate name. */
function joined<T>(lists: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> {
  const all: Record<string, T> = {};
  for (const [name, entry] of lists.flatMap((list) => Object.entries(list ?? {}))) {
    if (name in all) throw new Error(`${name} is listed twice.`);
    all[name] = entry;
  }
  return all;
}

/** Accepted request for each REST operation, by method and path. */
export const requests = joined(modules.map((module) => module.requests));

/** Requests that cause each documented error, or the reason why it can't occur, by operation and code. */
export const provocations = joined(modules.map((module) => module.provocations));

/** Root fields without a REST route, with the reason and an accepted operation. */
export const unrouted = joined(modules.map((module) => module.unrouted));
