import type { Calendar } from './calendars.ts';

/** Sender of the notice about a coming debit: Quittance, the payment processor, or the payer's bank. */
type NoticeSender = 'us' | 'processor' | 'bank';

/** Payer details that an attempt requires. */
type PayerDetail = 'name' | 'email' | 'address' | 'tax_document' | 'bank_account';

/** Retries after a failed charge. `policy`: every dunning retry makes an attempt. */
type RetryRule =
  | 'policy'
  | {
      /** Maximum number of retries. */
      readonly max: number;
      /** Business days between the latest result and the next collection date. */
      readonly gap: number;
      /** Calendar days after the first collection date within which a retry is collected. */
      readonly within: number;
    };

/** Limits of a charge in a currency, in its smallest unit. */
type AmountLimits = { readonly least?: bigint; readonly most?: bigint };

/**
 * Way to pay, described by its properties (INS-2). Code outside the registry and the adapters reads properties and
 * never compares names.
 */
export type Instrument = {
  /** Party that starts the transfer: the organization (`pull`) or the payer (`push`). */
  readonly initiation: 'pull' | 'push';
  /** True if the instrument can be charged while the payer is absent. */
  readonly offSession: boolean;
  /** `scheme`: a mandate with a reference. `terms`: a mandate that also limits amount, interval, and dates. */
  readonly mandate: 'none' | 'scheme' | 'terms';
  readonly calendar: Calendar;
  /** Typical and latest number of business days from the collection date to the result. */
  readonly confirmation: { readonly typical: number; readonly latest: number };
  /** Calendar days before the collection date on which the processor must receive the request. */
  readonly submission: { readonly least: number; readonly used: number; readonly most: number };
  /** Calendar days between the notice to the payer and the collection date. */
  readonly notice: { readonly days: number; readonly sender: NoticeSender } | null;
  /** Calendar days after the collection date in which the payer's bank can return the money. */
  readonly returnDays: number | 'unlimited';
  /** `contest`: the organization can contest a dispute. `return`: the bank returns the money. `none`: disputes are impossible. */
  readonly dispute: 'contest' | 'return' | 'none';
  readonly refund: {
    readonly to: 'original' | 'bank_account' | 'none';
    /** Days after the payment within which a refund is possible. `null` if the processor's limit applies. */
    readonly days: number | null;
    readonly partial: boolean;
  };
  /** `any`: the payer can send another amount than requested. */
  readonly amount: 'exact' | 'any';
  readonly retry: RetryRule;
  /** Seconds for which an instruction to the payer stays payable. `null` if instructions don't expire. */
  readonly expiry: { readonly default: number; readonly least: number; readonly most: number } | null;
  /** Instrument that is stored after a successful payment. */
  readonly yields: string;
  /** `code`: possession of a stored payment method can be checked on a page that may be passed on. */
  readonly recheck: 'none' | 'code';
  readonly requires: readonly PayerDetail[];
  /** Content that the page presents. */
  readonly shows: 'fields' | 'redirect' | 'code' | 'qr' | 'voucher' | 'bank_details';
  /** Currencies of the charge, in lowercase. `null` if all currencies are allowed. */
  readonly currencies: readonly string[] | null;
  /** Billing countries of the payer. `null` if all countries are allowed. */
  readonly countries: readonly string[] | null;
  readonly limits: Readonly<Record<string, AmountLimits>>;
};
