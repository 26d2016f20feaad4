import { chooseOrganization } from '../../data/place.ts';
import type { Membership } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { leave } from '../sign-out.ts';
import { EntryPage } from './entry-page.tsx';
import { OrganizationForm } from './organization-form.tsx';

type OrganizationChoiceProps = {
  readonly memberships: readonly Membership[];
  readonly onCreated: () => void;
};

/** Page where a user selects one of several organizations, or creates an organization. */
export default function OrganizationChoice({ memberships, onCreated }: OrganizationChoiceProps) {
  const words = useWords('entry');
  const isNew = memberships.length === 0;
  return (
    <EntryPage title={isNew ? words.noOrganization : words.chooseOrganization}>
      {isNew && <Text as="p">{words.noOrganizationText}</Text>}
      {isNew && <OrganizationForm onDone={onCreated} />}
      <Stack gap={2}>
        {memberships.map(({ organizationId, organizationName }) => (
          <Button key={organizationId} wide onPress={() => chooseOrganization(organizationId)}>
            {organizationName}
          </Button>
        ))}
        <Button kind="quiet" wide onPress={() => void leave()}>
          {words.useOtherAccount}
        </Button>
      </Stack>
    </EntryPage>
  );
}
