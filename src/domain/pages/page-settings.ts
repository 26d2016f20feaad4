// Appearance and features of an organization's hosted pages. Values are stored as provided; omitted values use the
// defaults.

import { type Language, languages } from '../text/language.ts';

type PageMode = 'auto' | 'light' | 'dark';
type PageFont = 'system' | 'serif' | 'rounded' | 'mono';
type AddressMode = 'auto' | 'always' | 'never';
export type FieldMode = 'hidden' | 'optional' | 'required';

export type PageTheme = {
  readonly mode: PageMode;
  /** Corner radius of page elements, in pixels. */
  readonly radius: number;
  readonly font: PageFont;
};

/** Features of the customer portal that an organization can configure. */
export type PortalSettings = {
  readonly changePlan: boolean;
  readonly cancel: boolean;
  readonly reactivate: boolean;
  readonly updatePaymentMethod: boolean;
  readonly updateDetails: boolean;
  readonly purchase: boolean;
  /** Whether customers can change their number of seats. */
  readonly seats: boolean;
  /** Whether customers can set caps on their own usage. */
  readonly customerLimits: boolean;
  /** Whether customers can set an automatic top-up. */
  readonly customerAutoTopUp: boolean;
  /** Cancellation reasons that customers can choose from, in display order. */
  readonly cancelReasons: readonly string[];
};

/** Fields and features of the checkout that an organization can configure. */
export type CheckoutSettings = {
  readonly promoCodes: boolean;
  readonly addressMode: AddressMode;
  readonly phone: FieldMode;
  /** Whether the payer must accept the merchant's terms. */
  readonly consent: boolean;
  /** Whether a customer can pay with a saved card and its security code, at checkouts and payment links. */
  readonly savedCards: boolean;
  /** True if checkouts offer bank debits that fit the payer's country, the currency, and the amount. */
  readonly bankDebits: boolean;
  /** True if pages offer payments that the payer starts, such as Pix, if they fit the country, the currency, and the amount. */
  readonly pushPayments: boolean;
};

export type PageSettings = {
  readonly theme?: Partial<PageTheme>;
  readonly portal?: Partial<PortalSettings>;
  readonly checkout?: Partial<CheckoutSettings>;
  readonly supportEmail?: string | null;
  readonly supportUrl?: string | null;
  readonly termsUrl?: string | null;
  readonly privacyUrl?: string | null;
  readonly statementDescriptor?: string | null;
  readonly languages?: readonly Language[];
  readonly embedOrigins?: readonly string[];
  readonly returnOrigins?: readonly string[];
};

const defaultTheme: PageTheme = { mode: 'auto', radius: 8, font: 'system' };

const defaultPortal: PortalSettings = {
  changePlan: true,
  cancel: true,
  reactivate: true,
  updatePaymentMethod: true,
  updateDetails: true,
  purchase: true,
  seats: false,
  customerLimits: true,
  customerAutoTopUp: true,
  cancelReasons: [],
};

const defaultCheckout: CheckoutSettings = {
  promoCodes: true,
  addressMode: 'auto',
  phone: 'hidden',
  consent: false,
  savedCards: true,
  bankDebits: false,
  pushPayments: false,
};

export const themeOf = (settings: PageSettings | null): PageTheme => ({
  ...defaultTheme,
  ...settings?.theme,
});

/** Returns the languages of the pages. The organization's language comes first. */
export const pageLanguagesOf = (settings: PageSettings | null, own: Language): Language[] => [
  ...new Set([own, ...(settings?.languages ?? languages)]),
];

/**
 * Returns the portal settings with their defaults. All features are turned on by default except seats, which
 * merchants usually manage in their own product.
 */
export const portalSettingsOf = (settings: PageSettings | null): PortalSettings => ({
  ...defaultPortal,
  ...settings?.portal,
});

export const checkoutSettingsOf = (settings: PageSettings | null): CheckoutSettings => ({
  ...defaultCheckout,
  ...settings?.checkout,
});

/** Merges changes into the settings. `undefined` values are ignored, and groups are merged field by field. */
export function withPageSettings(settings: PageSettings | null, changes: PageSettings): PageSettings {
  const { theme, portal, checkout, ...rest } = changes;
  const merged: PageSettings = { ...settings, ...defined(rest) };
  return {
    ...merged,
    ...(theme === undefined ? {} : { theme: { ...merged.theme, ...defined(theme) } }),
    ...(portal === undefined ? {} : { portal: { ...merged.portal, ...defined(portal) } }),
    ...(checkout === undefined ? {} : { checkout: { ...merged.checkout, ...defined(checkout) } }),
  };
}

const defined = <T extends object>(values: T): T =>
  // Removing `undefined` fields doesn't change the type, because these fields are optional.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
