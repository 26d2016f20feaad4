// Types of JSON columns, and of string and number columns that only allow a few values. A comment `///
// [Address]` above a column in the database schema gives the column the type `Address` in the generated
// client. It must be the first comment of the column. All code that writes the column writes values of this
// type, so that rows can be read without checks. External input must be validated before it gets such a
// type.

import type * as holds from './holds/hold.ts';
import type * as parties from './invoicing/parties.ts';
import type * as approvals from './limits/approval.ts';
import type * as policies from './limits/key-policy.ts';
import type * as limits from './limits/limit.ts';
import type * as levels from './meters/level.ts';
import type * as meters from './meters/meter.ts';
import type * as cash from './metrics/cash.ts';
import type * as movements from './metrics/movements.ts';
import type * as recovery from './metrics/recovery.ts';
import type * as sources from './metrics/sources.ts';
import type * as trials from './metrics/trials.ts';
import type * as offers from './offers/phase.ts';
import type * as pages from './pages/page-settings.ts';
import type * as provider from './payments/provider.ts';
import type * as requests from './payments/provider-request.ts';
import type * as verification from './payments/verification.ts';
import type * as catalog from './pricing/catalog.ts';
import type * as pools from './pricing/pools.ts';
import type * as cards from './rates/card.ts';
import type * as derived from './rates/derived.ts';
import type * as ended from './rows/ended-usage.ts';
import type * as enums from './rows/enums.ts';
import type * as explanation from './rows/explanation.ts';
import type * as grants from './rows/grant-rows.ts';
import type * as held from './rows/held-usage.ts';
import type * as payments from './rows/payment-rows.ts';
import type * as purchases from './rows/purchase-rows.ts';
import type * as rows from './rows/rows.ts';
import type * as topups from './rows/topup-rows.ts';
import type * as usage from './rows/usage-rows.ts';
import type * as changes from './subscription/state/changes.ts';
import type * as tax from './tax/tax.ts';
import type * as json from './text/json.ts';
import type * as record from './usage/record.ts';
import type * as tokens from './usage/tokens.ts';

declare global {
  namespace Stored {
    type Address = rows.Address;
    type FeatureIds = readonly string[];
    type CommitmentTerms = purchases.CommitmentTerms;
    type DeadlineKind = rows.DeadlineKind;
    type InstrumentName = enums.InstrumentName;
    type AttemptReports = readonly rows.AttemptReport[];
    type PaymentInstructions = rows.PaymentInstructions;
    type OfferTarget = rows.OfferApplicationRow['targetType'];
    type RedemptionType = rows.PromoRedemptionRow['type'];
    type KeyPolicy = policies.KeyPolicy;
    type ConnectionLimits = policies.PolicyAmounts;
    type ApprovalPreview = approvals.ApprovalPreview;
    type LimitFilter = limits.LimitFilter;
    type LimitThresholds = readonly limits.LimitThreshold[];
    type LimitAmounts = readonly limits.CurrencyAmount[];
    type LimitShare = limits.LimitShare;
    type LimitAnomaly = limits.LimitAnomaly;
    type LimitWindow = limits.LimitWindow;
    type HoldEstimate = holds.HoldEstimate;
    type HeldGauges = limits.HeldGauges;
    type EventHold = holds.EventHold;
    type LevelKind = levels.LevelKind;
    type HeldUsage = held.HeldUsage;
    type StoredGauges = limits.StoredGauges;
    type ReachedWindows = limits.ReachedWindows;
    type LimitIds = readonly string[];
    type EndedGauges = readonly limits.EndedGauge[];
    type Metadata = json.Metadata;
    type PriceList = cards.PriceListDocument;
    type PriceLists = readonly cards.PriceListDocument[];
    type CellTotals = readonly ended.StoredCell[];
    type Card = cards.CardDocument;
    type RateOverrides = readonly cards.RateOverride[];
    type DimensionValues = cards.DimensionValues;
    type FeaturePrice = derived.PriceDocument;
    type FeatureCost = derived.CostDocument;
    type Meter = meters.MeterDocument;
    type MeterVersions = readonly meters.MeterVersion[];
    type AccountPools = usage.AccountPools;
    type Refill = topups.Refill;
    type TopUpConsent = topups.TopUpConsent;
    type PlanPools = readonly pools.PlanPool[];
    type IncludedUnits = catalog.IncludedUnits;
    type PageSettings = pages.PageSettings;
    /** Input that a subscription was created with. */
    type Selection = rows.StoredSelection;
    type RetryTerms = rows.RetryTerms;
    type SeatCounts = rows.SeatCounts;
    type ScheduledChange = rows.ScheduledChange;
    type PendingCheckout = rows.PendingCheckout;
    type CarriedCharges = readonly rows.CarriedCharge[];
    type PendingCorrections = readonly rows.PendingCorrection[];
    type RecurringTerms = rows.RecurringTerms;
    type MinimumSpend = rows.MinimumSpend;
    type MrrState = rows.MrrState;
    type MrrReason = rows.MrrReason;
    type MrrStates = movements.MrrStates;
    type MrrReasons = movements.MrrReasons;
    type MrrKind = movements.MrrMovementKind;
    type SumSource = sources.SumSource;
    type MrrRollupKind = movements.MrrMovementKind | 'level';
    type MrrScope = movements.MrrScope;
    type BilledScope = cash.BilledScope;
    type UsageScope = 'feature' | 'model' | 'plan';
    type RecoveryOutcome = recovery.RecoveryOutcome;
    type RecoveryMaker = recovery.RecoveryMaker;
    type TrialOutcome = trials.TrialOutcome;
    type ApplicationPhases = readonly rows.ApplicationPhase[];
    type GrantTimeline = readonly grants.PlanGrantEntry[];
    type DeadlineData = rows.DeadlineData;
    type Tax = tax.Tax;
    type Purchase = rows.Purchase;
    type InvoiceParty = parties.InvoiceBuyer | parties.InvoiceSeller;
    type Explanation = explanation.Explanation;
    /**
     * Charge request as sent to the provider. The amount is a string, because JSON numbers are exact only
     * up to 2^53.
     */
    type ChargeRequest = Omit<provider.ChargeRequest, 'amountMinor'> & { readonly amountMinor: string };
    type ChargeResult = provider.ChargeResult;
    type Outcome = changes.Outcome;
    type OfferPhases = readonly offers.OfferPhase[];
    type PlanIds = readonly string[];
    /** Plans of a pricing table in display order. `text` replaces the plan's description. */
    type PricingTablePlans = readonly { readonly planId: string; readonly text: string | null }[];
    type BillingIntervals = readonly enums.BillingInterval[];
    type PaymentAttempt = payments.PaymentAttempt;
    type RejectionReasons = readonly verification.RejectionReason[];
    type ProviderAnswer = requests.PlatformProcessorAnswer;
    type HighWaterSteps = readonly usage.HighWaterStep[];
    type Properties = record.UsageRequest['properties'];
    /** Prices of an AI model by the number of input tokens. */
    type ModelPrices = tokens.StoredPrices;
    /** Cost of tokens, with counts as numbers. Amounts are decimals in US dollars. */
    type TokenCost = Omit<tokens.StoredTokenCost, 'classes'> & {
      readonly classes: readonly (Omit<tokens.ClassCost, 'tokens'> & { readonly tokens: number })[];
    };
    /** Data of an event. The fields depend on the event type. */
    type EventData = { readonly [field: string]: unknown };
    /** Email to an organization. Has only plain text if `html` is absent. */
    type EmailContent = { readonly text: string; readonly html?: string };
    /** IDs of the objects that a running operation processes. Absent if the operation hasn't started. */
    type Progress = { readonly ids?: readonly string[] };
    type WebhookAttempts = readonly {
      readonly at: string;
      readonly status: number | null;
      readonly durationMs: number | null;
      readonly responseBody: string | null;
      readonly error: string | null;
    }[];
    /** Reason why a clock run ended early. */
    type ClockRunError = {
      readonly code: 'canceled' | 'too_many_instants' | 'quota_exceeded';
      readonly message: string;
    };
    /**
     * Reason why an example run ended early: the code and message of a rejection, and the number of the
     * failed step.
     */
    type ExampleRunError = { readonly code: string; readonly message: string; readonly step: number };
    /** Parameters of an export: the columns, and the validated list filter with times as strings. */
    type ExportRequest = {
      readonly columns: readonly string[];
      readonly filter: Metadata | null;
      readonly search: string | null;
      /** Exports only rows with a higher `seq`. Absent to export all rows. */
      readonly since?: string | null;
    };
    type ExportParts = readonly { readonly rows: number; readonly bytes: number }[];
  }
}
