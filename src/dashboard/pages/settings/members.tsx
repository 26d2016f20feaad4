import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { switchEnvironment } from '../../shell/switch-environment.ts';
import { useWords } from '../../words/words.ts';
import { SettingsMembersDocument } from './members.graphql';
import { InvitationTable } from './parts/invitation-table.tsx';
import { MemberTable } from './parts/member-table.tsx';

const InviteDialog = lazyPart(() =>
  import('./parts/invite-dialog.tsx').then((module) => module.InviteDialog),
);

/** Lists the members of the organization and their invitations. Changes are only possible in the live environment. */
export default function MembersPage() {
  const title = useWords('titles').members;
  const words = useWords('members');
  const isLive = useStore(environment) === 'live';
  const { data, error, refetch } = useData(SettingsMembersDocument, {});
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={title}
      subtitle={words.text}
      actions={
        isLive && (
          <Button kind="primary" onPress={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <Stack gap={6}>
        {!isLive && (
          <Callout
            title={words.liveOnly}
            actions={
              <Button onPress={() => switchEnvironment('live', 'members')}>{words.switchToLive}</Button>
            }
          >
            {words.liveOnlyText}
          </Callout>
        )}
        {data === null && error === null && <Loading lines={6} />}
        {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
        {data !== null && (
          <Card padding="none">
            <MemberTable rows={data.members} canChange={isLive} onChanged={refetch} />
          </Card>
        )}
        {data !== null && data.memberInvitations.length > 0 && (
          <Section title={words.invitations}>
            <Card padding="none">
              <InvitationTable rows={data.memberInvitations} canChange={isLive} onChanged={refetch} />
            </Card>
          </Section>
        )}
      </Stack>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onDone={() => {
            setInviting(false);
            refetch();
          }}
        />
      )}
    </Page>
  );
}
