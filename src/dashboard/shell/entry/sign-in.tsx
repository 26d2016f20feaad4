import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { AccountForm } from './account-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { KeyForm } from './key-form.tsx';

type Way = 'signIn' | 'createAccount' | 'forgotPassword' | 'haveKey' | 'wasInvited';

const ways: readonly Way[] = ['signIn', 'createAccount', 'forgotPassword', 'haveKey', 'wasInvited'];

/** Sign-in page of the dashboard, with all available methods. */
export default function SignIn({ onDone }: { readonly onDone: () => void }) {
  const words = useWords('entry');
  const [way, setWay] = useState<Way>('signIn');
  return (
    <EntryPage title={words[way]} key={way}>
      {way === 'wasInvited' && <Text as="p">{words.invited}</Text>}
      {way === 'haveKey' && <KeyForm />}
      {way === 'forgotPassword' && <ForgotPassword />}
      {(way === 'signIn' || way === 'createAccount') && (
        <AccountForm isNew={way === 'createAccount'} onDone={onDone} />
      )}
      <Stack gap={1}>
        {ways
          .filter((each) => each !== way)
          .map((each) => (
            <Button key={each} kind="quiet" wide onPress={() => setWay(each)}>
              {each === 'signIn' ? words.back : words[each]}
            </Button>
          ))}
      </Stack>
    </EntryPage>
  );
}
