// What the pages of an organization look like and offer. Stored as it is; what is left out has the default.

import type { Language } from './page-language.ts';

export type PageMode = 'auto' | 'light' | 'dark';
export type PageFont = 'system' | 'serif' | 'rounded' | 'mono';
export type AddressMode = 'auto' | 'always' | 'never';
export type FieldMode = 'hidden' | 'optional' | 'required';

export type PageTheme = {
  readonly mode: PageMode;
  /** Of corners, in pixels. */
  readonly radius: number;
  readonly font: PageFont;
};

/** What customers can do in the portal. */
export type PortalSettings = {
  readonly changePlan: boolean;
  readonly cancel: boolean;
  readonly reactivate: boolean;
  readonly updatePaymentMethod: boolean;
  readonly updateDetails: boolean;
  readonly purchase: boolean;
  /** Change how many seats are held. */
  readonly seats: boolean;
  /** Reasons for a cancellation that are offered, in order. */
  readonly cancelReasons: readonly string[];
};

/** What the checkout asks for. */
export type CheckoutSettings = {
  readonly promoCodes: boolean;
  readonly addressMode: AddressMode;
  readonly phone: FieldMode;
  /** Whether the terms have to be accepted. */
  readonly consent: boolean;
  /** Whether a customer who has a stored card can pay with it and its security code, here and at payment links. */
  readonly savedCards: boolean;
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

const allLanguages: readonly Language[] = ['en', 'es'];

const defaultTheme: PageTheme = { mode: 'auto', radius: 8, font: 'system' };

const defaultPortal: PortalSettings = {
  changePlan: true,
  cancel: true,
  reactivate: true,
  updatePaymentMethod: true,
  updateDetails: true,
  purchase: true,
  seats: false,
  cancelReasons: [],
};

const defaultCheckout: CheckoutSettings = {
  promoCodes: true,
  addressMode: 'auto',
  phone: 'hidden',
  consent: false,
  savedCards: true,
};

/** The theme with its defaults. */
export const themeOf = (settings: PageSettings | null): PageTheme => ({
  ...defaultTheme,
  ...settings?.theme,
});

/** The languages pages are offered in, that of the organization first. */
export const pageLanguagesOf = (settings: PageSettings | null, own: Language): Language[] => [
  ...new Set([own, ...(settings?.languages ?? allLanguages)]),
];

/** What the portal offers, with its defaults: everything but seats, which usually follow the seller's own product. */
export const portalSettingsOf = (settings: PageSettings | null): PortalSettings => ({
  ...defaultPortal,
  ...settings?.portal,
});

/** What the checkout asks for, with its defaults. */
export const checkoutSettingsOf = (settings: PageSettings | null): CheckoutSettings => ({
  ...defaultCheckout,
  ...settings?.checkout,
});

/** The settings with changes: what is undefined stays, groups are merged member by member. */
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
  // Nothing but members that are undefined is taken away, which the type allows to be absent.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
