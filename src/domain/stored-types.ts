// The types of JSON columns, and of texts and numbers of a few values, by the names the models give them: a line `/// [Address]` above a column
// gives it the type of that name in the generated client, for reading and writing alike. A column is written from values of its type only, by
// the engine or the capability that owns the table, so that reading a row costs no check. Input from outside is checked where it comes in,
// before it is of such a type. The line comes first among the comments of its column.

import type * as enums from './enums.ts';
import type * as explanation from './invoicing/explanation.ts';
import type * as parties from './invoicing/parties.ts';
import type * as json from './json.ts';
import type * as cash from './metrics/cash.ts';
import type * as movements from './metrics/movements.ts';
import type * as recovery from './metrics/recovery.ts';
import type * as trials from './metrics/trials.ts';
import type * as offers from './offers/phase.ts';
import type * as pages from './page-settings.ts';
import type * as payments from './payments/rows.ts';
import type * as provider from './provider.ts';
import type * as requests from './provider-request.ts';
import type * as changes from './subscription/state/changes.ts';
import type * as grants from './subscription/state/grant-rows.ts';
import type * as rows from './subscription/state/rows.ts';
import type * as tax from './tax.ts';
import type * as record from './usage/record.ts';
import type * as usage from './usage/rows.ts';
import type * as verification from './verification.ts';

type Numbers<T> = { readonly [K in keyof T]: number };

declare global {
  namespace Stored {
    type Address = rows.Address;
    type AlertLevel = usage.AlertLevel;
    type DeadlineKind = rows.DeadlineKind;
    type OfferTarget = rows.OfferApplicationRow['targetType'];
    type RedemptionType = rows.PromoRedemptionRow['type'];
    type Metadata = json.Metadata;
    type PageSettings = pages.PageSettings;
    /** The choices of the call that created a subscription. */
    type Selection = rows.StoredSelection;
    type SeatCounts = rows.SeatCounts;
    type ScheduledChange = rows.ScheduledChange;
    type PendingCheckout = rows.PendingCheckout;
    type RecurringTerms = rows.RecurringTerms;
    type MrrState = rows.MrrState;
    type MrrReason = rows.MrrReason;
    type MrrStates = movements.MrrStates;
    type MrrReasons = movements.MrrReasons;
    type MrrKind = movements.MrrMovementKind;
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
    /** A charge as its gateway was asked for it; the amount as text, since JSON numbers end at 2^53. */
    type ChargeRequest = Omit<provider.ChargeRequest, 'amountMinor'> & { readonly amountMinor: string };
    type ChargeResult = provider.ChargeResult;
    type Outcome = changes.Outcome;
    type OfferPhases = readonly offers.OfferPhase[];
    type PlanIds = readonly string[];
    /** The plans of a pricing table, in their order; the text stands instead of the description of the plan. */
    type PricingTablePlans = readonly { readonly planId: string; readonly text: string | null }[];
    type BillingIntervals = readonly enums.BillingInterval[];
    type PaymentAttempt = payments.PaymentAttempt;
    type RejectionReasons = readonly verification.RejectionReason[];
    type ProviderAnswer = requests.PlatformProcessorAnswer;
    type HighWaterSteps = readonly usage.HighWaterStep[];
    type Properties = record.UsageRequest['properties'];
    /** The cost of tokens; counts and amounts as numbers. */
    type TokenCost = Omit<record.StoredTokenCost, 'tokens' | 'cost'> & {
      readonly tokens: Numbers<record.StoredTokenCost['tokens']>;
      readonly cost: Numbers<record.StoredTokenCost['cost']>;
    };
    /** The fields of an event by its kind. */
    type EventData = { readonly [field: string]: unknown };
    /** An email to an organization; without HTML it is text only. */
    type EmailContent = { readonly text: string; readonly html?: string };
    /** Ids of what an operation has under way; none before it has anything. */
    type Progress = { readonly ids?: readonly string[] };
    /** The attempts of a delivery. */
    type WebhookAttempts = readonly {
      readonly at: string;
      readonly status: number | null;
      readonly durationMs: number | null;
      readonly responseBody: string | null;
      readonly error: string | null;
    }[];
    /** Why a clock run ended early. */
    type ClockRunError = { readonly code: 'canceled' | 'too_many_instants'; readonly message: string };
    /** Why an example run ended early: the code and sentence of a rejection, and the step it was met at. */
    type ExampleRunError = { readonly code: string; readonly message: string; readonly step: number };
    /** What an export was asked for: the names of its columns, and the filter of the list as it was checked, instants as texts. */
    type ExportRequest = {
      readonly columns: readonly string[];
      readonly filter: Metadata | null;
      readonly search: string | null;
      /** Only rows numbered beyond this; without it all. */
      readonly since?: string | null;
    };
    /** The files of an export. */
    type ExportParts = readonly { readonly rows: number; readonly bytes: number }[];
  }
}
