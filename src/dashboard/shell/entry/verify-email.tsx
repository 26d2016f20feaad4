import { useEffect, useRef, useState } from 'react';
import { verifyEmail } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Text } from '../../kit/text.tsx';
import type { entry } from '../../words/en/entry.ts';
import { useWords } from '../../words/words.ts';
import { EntryPage } from './entry-page.tsx';
import { start } from './links.ts';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

/** Confirms a new email address with the link that was sent to it. */
export default function VerifyEmail({ token }: { readonly token: string }) {
  const words = useWords<typeof entry>('entry');
  const { run, isRunning, problem } = useAccountTask();
  const [isDone, setDone] = useState(false);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void run(() => verifyEmail(token)).then(setDone);
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
