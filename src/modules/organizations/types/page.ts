import type { Context } from '../../../context.ts';
import { textOn } from '../../../domain/color.ts';
import {
  type Language as LanguageOf,
  type LanguageSources,
  pageLanguage,
} from '../../../domain/page-language.ts';
import { pageLanguagesOf, themeOf } from '../../../domain/page-settings.ts';
import { builder } from '../../../graphql/builder.ts';
import { loadOrganization, type OrganizationRow } from '../store.ts';
import { Language, logoSize, PageFont, PageMode } from './organization.ts';

export const PageBranding = builder.objectRef<OrganizationRow>('PageBranding').implement({
  description: 'How the pages of a seller look and where they lead for help and terms.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What payers know the seller by.' }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'A picture at the head of the page; null for none.',
    }),
    logoWidth: t.exposeInt('logoWidth', logoSize.width),
    logoHeight: t.exposeInt('logoHeight', logoSize.height),
    accentColor: t.exposeString('accentColor', {
      nullable: true,
      description: 'Color of buttons and links, `#rrggbb`; null for the default.',
    }),
    onAccentColor: t.string({
      nullable: true,
      description:
        'Color of text on `accentColor`, `#rrggbb`: black or white, with a contrast of 4.5 at least; null for the default.',
      resolve: ({ accentColor }) => (accentColor === null ? null : textOn(accentColor)),
    }),
    theme: t.field({
      type: PageMode,
      description: 'Whether pages are light or dark.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).mode,
    }),
    radius: t.int({
      description: 'Radius of corners, 0 to 24 pixels.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).radius,
    }),
    font: t.field({
      type: PageFont,
      description: 'Font.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).font,
    }),
    supportEmail: t.string({
      nullable: true,
      description: 'Where customers write to for help; null for nowhere.',
      resolve: ({ pageSettings }) => pageSettings?.supportEmail ?? null,
    }),
    supportUrl: t.string({
      nullable: true,
      description: 'A page with help; null for none.',
      resolve: ({ pageSettings }) => pageSettings?.supportUrl ?? null,
    }),
    termsUrl: t.string({
      nullable: true,
      description: 'A page with the terms; null for none.',
      resolve: ({ pageSettings }) => pageSettings?.termsUrl ?? null,
    }),
    privacyUrl: t.string({
      nullable: true,
      description: 'A page about personal data; null for none.',
      resolve: ({ pageSettings }) => pageSettings?.privacyUrl ?? null,
    }),
    embedOrigins: t.stringList({
      description: 'Origins of pages that may show this one in a frame, and receive its messages.',
      resolve: ({ pageSettings }) => [...(pageSettings?.embedOrigins ?? [])],
    }),
    statementDescriptor: t.string({
      description: 'What to look for on the statement of the card.',
      resolve: ({ pageSettings, name }) => pageSettings?.statementDescriptor ?? name,
    }),
  }),
});

/** The field of a page that says how it looks. */
export const brandingField = {
  type: PageBranding,
  description: 'How the pages of the seller look.',
  resolve: (_page: object, _args: object, ctx: Context) => loadOrganization(ctx),
} as const;

/** The field of a page that lists its languages. */
export const localesField = {
  type: [Language] as [typeof Language],
  description: 'The languages the seller offers pages in, its own first.',
  resolve: async (_page: object, _args: object, ctx: Context) => {
    const { pageSettings, language } = await loadOrganization(ctx);
    return pageLanguagesOf(pageSettings, language);
  },
} satisfies object;

/** The language of a page: the first named one the seller offers. */
export async function loadPageLanguage(
  ctx: Context,
  sources: Pick<LanguageSources, 'link' | 'session' | 'customer'>,
): Promise<LanguageOf> {
  const { pageSettings, language } = await loadOrganization(ctx);
  return pageLanguage({ ...sources, organization: language }, pageLanguagesOf(pageSettings, language));
}

/** What names the language of a page in its address. */
export const localeArguments = builder.args((t) => ({
  link: t.string({
    rule: { maxLength: 100 },
    description: 'The language the address of the page names, `?locale=`, such as `es` or `es-MX`.',
  }),
}));

/** The field of a page that says its language; `sources` says who of the page's own names one. */
export const localeField = <Page>(
  sources: (page: Page) => Pick<LanguageSources, 'session' | 'customer'>,
) => ({
  type: Language,
  description:
    'The language of the page: that of the link, else of the session or checkout, the customer, the seller; the first of them that is among `locales`.',
  args: localeArguments,
  resolve: (page: Page, { link }: { readonly link?: string | null | undefined }, ctx: Context) =>
    loadPageLanguage(ctx, { link, ...sources(page) }),
});
