import type { Messages } from '../../generated/messages/pages.ts';

/** Strings that all pages use. */
export type Words = Messages['common'];

/** Areas of additional messages. A page uses at most one area. */
type PageArea = 'account' | 'card' | 'invoice' | 'link' | 'login' | 'portal' | 'pricing';

export type Areas = Pick<Messages, PageArea>;

/** Error messages, loaded on the first interaction. */
export type Errors = Messages['errors'];

/** Strings that only sandbox pages use. */
export type SandboxWords = Messages['sandbox'];

/** Strings that only pages with bank debits use. */
export type DebitWords = Messages['debit'];

/** Strings that only pages with payments by the payer use. */
export type PushWords = Messages['push'];

export type AreaName = keyof Areas;

/** A page's additional messages, with the name of the area. */
export type Area = { [Name in AreaName]: { readonly name: Name; readonly words: Areas[Name] } }[AreaName];
