import { useState } from 'react';
import { sendVerification } from '../data/session.ts';
import { useViewer } from '../data/viewer.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { useWords } from '../words/words.ts';
import { Problem } from './entry/problem.tsx';
import { useAccountTask } from './entry/use-account-task.ts';

/** Bar that asks the user to verify their email address, and sends another link. */
export default function VerifyBar() {
  const words = useWords('entry');
  const { email } = useViewer();
  const [isSent, setSent] = useState(false);
  const { run, isRunning, problem } = useAccountTask();
  const send = async () => setSent(await run(sendVerification));
  return (
    <section aria-label={words.verifyEmail}>
      <Callout
        tone="warning"
        title={words.verifyEmail}
        actions={
          <Button size="sm" isDisabled={isSent} isPending={isRunning} onPress={() => void send()}>
            {words.sendLink}
          </Button>
        }
      >
        <div role="status">
          {isSent ? words.verificationSent({ email }) : words.verifyEmailText({ email })}
        </div>
        <Problem text={problem} />
      </Callout>
    </section>
  );
}
