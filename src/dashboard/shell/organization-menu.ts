import type { PageName } from '../address.ts';
import { chooseOrganization, type Environment } from '../data/place.ts';
import type { Membership } from '../data/viewer.ts';
import type { MenuGroup } from '../kit/menu.tsx';
import { mayDiscard } from '../kit/unsaved-work.ts';
import type { Words } from '../words/words.ts';
import { switchEnvironment } from './switch-environment.ts';

type Parts = {
  readonly words: Words['shell'];
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
  readonly where: Environment;
  readonly page: PageName | null;
};

const environments: readonly Environment[] = ['sandbox', 'live'];

/** Returns the menu groups with the environments and organizations that the user can switch to. */
export const organizationGroups = ({ words, membership, memberships, where, page }: Parts): MenuGroup[] => [
  {
    title: words.environment,
    items: environments.map((each) => ({
      id: each,
      label: words[each],
      isChecked: each === where,
      onAction: () => switchEnvironment(each, page),
    })),
  },
  ...(memberships.length > 1
    ? [
        {
          title: words.organization,
          items: memberships.map(({ organizationId, organizationName }) => ({
            id: organizationId,
            label: organizationName,
            isChecked: organizationId === membership.organizationId,
            onAction: () =>
              void mayDiscard().then((isDiscarded) => {
                if (!isDiscarded) return;
                chooseOrganization(organizationId);
                switchEnvironment(where, 'home');
              }),
          })),
        },
      ]
    : []),
];
