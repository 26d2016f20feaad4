import type { ResultOf } from '../../ui/documents.ts';
import { csrf } from '../account/account.ts';
import { AccountPage } from '../account/page.tsx';
import type { Accept } from '../account/use-account.ts';
import { areaOf } from '../data/current-page.ts';
import { beginOf, mapBegin } from '../data/initial-data.ts';
import { run } from '../data/service.ts';
import type { PageEntry } from '../page-entry.ts';
import { AcceptInvitationDocument, InvitationPageDocument } from './page.graphql';

type Data = ResultOf<typeof InvitationPageDocument>;

const accept: Accept = (token) => run(AcceptInvitationDocument, { input: { token } }, csrf);

/** Page for accepting an invitation to an organization. */
export const invitation: PageEntry = {
  area: 'account',
  questionOf: (token) => ({ query: InvitationPageDocument, variables: { token } }),
  view: (answer) => (
    <AccountPage
      accept={accept}
      begin={mapBegin(beginOf<Data>(answer, ['not_found']), ({ memberInvitation }) => ({
        organizationName: memberInvitation.organizationName,
        status: 'open',
        invited: memberInvitation,
      }))}
    />
  ),
  lookOf: () => ({ branding: null, locale: null }),
  titleOf: (data, page) => {
    const words = areaOf(page, 'account');
    return data === undefined
      ? words.page
      : words.joinTitle({ organization: (data as Data).memberInvitation.organizationName });
  },
};
