import { useData } from '../../data/hooks.ts';
import { Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { CodesCard } from './codes-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { AccountSettingsDocument } from './page.graphql';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** Account page of the signed-in user. */
export default function AccountPage() {
  const title = useWords('titles').account;
  const words = useWords('account');
  const { data, error, refetch } = useData(AccountSettingsDocument, {});
  return (
    <Page title={title} subtitle={words.text}>
      <Stack gap={5}>
        {data === null && error === null && <Loading lines={8} />}
        {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
        {data !== null && (
          <>
            <ProfileCard email={data.viewer.email} onChanged={refetch} />
            <PasswordCard onChanged={refetch} />
            <CodesCard onChanged={refetch} />
            <PasskeysCard passkeys={data.viewer.passkeys} onChanged={refetch} />
            <SessionsCard sessions={data.viewer.sessions} onChanged={refetch} />
          </>
        )}
        {(data !== null || error !== null) && <DisplayCard />}
      </Stack>
    </Page>
  );
}
