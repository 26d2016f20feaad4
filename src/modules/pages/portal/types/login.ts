import { pageLanguage } from '../../../../domain/pages/page-language.ts';
import { pageLanguagesOf } from '../../../../domain/pages/page-settings.ts';
import type { Language as LanguageName } from '../../../../domain/text/language.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { Language } from '../../../organization/organizations/types/organization.ts';
import { PageBranding } from '../../../organization/organizations/types/page.ts';

const offered = ({ pageSettings, language }: OrganizationRow): LanguageName[] =>
  pageLanguagesOf(pageSettings, language);

export const PortalLogin = builder.objectRef<OrganizationRow>('PortalLogin').implement({
  description: 'Page on which customers request a portal link.',
  fields: (t) => ({
    branding: t.field({
      type: PageBranding,
      description: "Branding of the organization's pages.",
      resolve: (organization) => organization,
    }),
    locale: t.field({
      type: Language,
      description:
        "Language of the page: the language in `link` if the organization offers that language, otherwise the organization's language.",
      args: {
        link: t.arg.string({
          rule: { maxLength: 100 },
          description: "Language from the page's URL (`?locale=`), such as `es` or `es-MX`.",
        }),
      },
      resolve: (organization, { link }) =>
        pageLanguage({ link, organization: organization.language }, offered(organization)),
    }),
    locales: t.field({
      type: [Language],
      description: "Languages of the hosted pages, starting with the organization's language.",
      resolve: offered,
    }),
  }),
});
