import { type LanguageSources, pageLanguage } from '../../../../domain/pages/page-language.ts';
import { pageOrigins } from '../../../../domain/pages/page-origin.ts';
import { pageLanguagesOf, themeOf } from '../../../../domain/pages/page-settings.ts';
import { textOn } from '../../../../domain/text/color.ts';
import type { Language as LanguageOf } from '../../../../domain/text/language.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Context } from '../../../../request/context.ts';
import { loadOrganization, type OrganizationRow } from '../store.ts';
import { Language, PageFont, PageMode } from './organization.ts';

const unmeasured =
  "`null` if no logo is set, or if the logo was set with `logoUrl`, because external images aren't measured.";

export const PageBranding = builder.objectRef<OrganizationRow>('PageBranding').implement({
  description: "Branding of an organization's hosted pages, with links to help and terms.",
  fields: (t) => ({
    name: t.member('name', 'String').describe('Name of the organization.'),
    logoUrl: t
      .maybe('logoUrl', 'String')
      .describe('URL of the logo at the top of the page. `null` if not set.'),
    logoWidth: t.maybe('logoWidth', 'Int').describe(`Width of the logo, in pixels. ${unmeasured}`),
    logoHeight: t.maybe('logoHeight', 'Int').describe(`Height of the logo, in pixels. ${unmeasured}`),
    accentColor: t
      .maybe('accentColor', 'String')
      .describe('Color of buttons and links, as `#rrggbb`. `null` if the default color is used.'),
    onAccentColor: t.string({
      nullable: true,
      description:
        'Color of text on `accentColor`, as `#rrggbb`. Black or white, with a contrast ratio of at least 4.5. `null` if the default color is used.',
      resolve: ({ accentColor }) => (accentColor === null ? null : textOn(accentColor)),
    }),
    theme: t.field({
      type: PageMode,
      description: 'Color scheme of hosted pages.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).mode,
    }),
    radius: t.int({
      description: 'Corner radius of page elements such as buttons, in pixels. From 0 to 24.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).radius,
    }),
    font: t.field({
      type: PageFont,
      description: 'Font family of hosted pages.',
      resolve: ({ pageSettings }) => themeOf(pageSettings).font,
    }),
    supportEmail: t.string({
      nullable: true,
      description: 'Email address where customers get help. `null` if not set.',
      resolve: ({ pageSettings }) => pageSettings?.supportEmail ?? null,
    }),
    supportUrl: t.string({
      nullable: true,
      description: 'URL of a help page for customers. `null` if not set.',
      resolve: ({ pageSettings }) => pageSettings?.supportUrl ?? null,
    }),
    termsUrl: t.string({
      nullable: true,
      description: 'URL of the terms of service. `null` if not set.',
      resolve: ({ pageSettings }) => pageSettings?.termsUrl ?? null,
    }),
    privacyUrl: t.string({
      nullable: true,
      description: 'URL of the privacy policy. `null` if not set.',
      resolve: ({ pageSettings }) => pageSettings?.privacyUrl ?? null,
    }),
    embedOrigins: t.stringList({
      description: 'Origins of pages that may embed the hosted page in a frame and receive messages from it.',
      resolve: ({ pageSettings }) => pageOrigins(pageSettings?.embedOrigins),
    }),
    statementDescriptor: t.string({
      description: "Text that appears on the customer's card statement.",
      resolve: ({ pageSettings, name }) => pageSettings?.statementDescriptor ?? name,
    }),
  }),
});

export const brandingField = {
  type: PageBranding,
  description: 'Branding of the hosted pages.',
  resolve: (_page: object, _args: object, ctx: Context) => loadOrganization(ctx),
} as const;

export const localesField = {
  type: [Language] as [typeof Language],
  description: "Languages of the hosted pages, starting with the organization's language.",
  resolve: async (_page: object, _args: object, ctx: Context) => {
    const { pageSettings, language } = await loadOrganization(ctx);
    return pageLanguagesOf(pageSettings, language);
  },
} satisfies object;

/** Returns the language of a page: the first requested language that the organization supports. */
export async function loadPageLanguage(
  ctx: Context,
  sources: Pick<LanguageSources, 'link' | 'session' | 'customer'>,
): Promise<LanguageOf> {
  const { pageSettings, language } = await loadOrganization(ctx);
  return pageLanguage({ ...sources, organization: language }, pageLanguagesOf(pageSettings, language));
}

export const localeArguments = builder.args((t) => ({
  link: t.string({
    rule: { maxLength: 100 },
    description: 'Language from the `locale` parameter of the page URL, such as `es` or `es-MX`.',
  }),
}));

/** Creates the field for the language of a page. `sources` returns the languages that the page itself requests. */
export const localeField = <Page>(
  sources: (page: Page) => Pick<LanguageSources, 'session' | 'customer'>,
) => ({
  type: Language,
  description:
    "Language of the page. The first available language applies, in this order: the language in the link, the language of the portal session or checkout, the customer's language, and the organization's language.",
  args: localeArguments,
  resolve: (page: Page, { link }: { readonly link?: string | null | undefined }, ctx: Context) =>
    loadPageLanguage(ctx, { link, ...sources(page) }),
});
