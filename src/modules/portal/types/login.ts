import { type Language as LanguageName, pageLanguage } from '../../../domain/page-language.ts';
import { pageLanguagesOf } from '../../../domain/page-settings.ts';
import { builder } from '../../../graphql/builder.ts';
import type { OrganizationRow } from '../../organizations/store.ts';
import { Language } from '../../organizations/types/organization.ts';
import { PageBranding } from '../../organizations/types/page.ts';

const offered = ({ pageSettings, language }: OrganizationRow): LanguageName[] =>
  pageLanguagesOf(pageSettings, language);

export const PortalLogin = builder.objectRef<OrganizationRow>('PortalLogin').implement({
  description: 'What the page shows at which customers ask for a link to the portal.',
  fields: (t) => ({
    branding: t.field({
      type: PageBranding,
      description: 'How the pages of the seller look.',
      resolve: (organization) => organization,
    }),
    locale: t.field({
      type: Language,
      description: 'The language of the page: that of the link, else of the seller.',
      args: {
        link: t.arg.string({
          rule: { maxLength: 100 },
          description: 'The language the address of the page names, `?locale=`, such as `es` or `es-MX`.',
        }),
      },
      resolve: (organization, { link }) =>
        pageLanguage({ link, organization: organization.language }, offered(organization)),
    }),
    locales: t.field({
      type: [Language],
      description: 'The languages the seller offers pages in, its own first.',
      resolve: offered,
    }),
  }),
});
