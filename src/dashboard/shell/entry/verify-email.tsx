import { useEffect, useRef, useState } from 'react';
import { withProof } from '../../data/identity-confirmation.ts';
import { verifyEmail } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { EntryPage } from './entry-page.tsx';
import { start } from './links.ts';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

/** Confirms a new email address after a user opened the link from the email. */
export default function VerifyEmail({ token }: { readonly token: string }) {
  const words = useWords('entry');
  const { run, isRunning, problem } = useAccountTask();
  const [isDone, setDone] = useState(false);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void run(() => withProof(() => verifyEmail(token))).then(setDone);
  });
  return (
    <EntryPage title={words.confirmEmail}>
      <div role="status">
        {isRunning && <Text as="p">{words.confirming}</Text>}
        {isDone && <Text as="p">{words.emailConfirmed}</Text>}
      </div>
      <Problem text={problem} />
      <Button kind="primary" wide onPress={() => location.assign(start)}>
        {words.openDashboard}
      </Button>
    </EntryPage>
  );
}
