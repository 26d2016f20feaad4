import { useState } from 'react';
import { withProof } from '../../data/identity-confirmation.ts';
import { changeEmail, changeName } from '../../data/session.ts';
import { useViewer, viewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form, FormActions } from '../../kit/form.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';

type NameProps = { readonly onChanged: () => void };

function NameCard({ onChanged }: NameProps) {
  const words = useWords('account');
  const { name } = useViewer();
  const { run, isRunning, problem, fields } = useAccountTask();
  const draft = useDraft(
    { name },
    {
      isReady: (typed) => typed.name.trim() !== '',
      needsChange: true,
      send: (typed) => run(() => changeName(typed.name.trim())),
      onDone: (_, typed) => {
        const known = viewer.get();
        if (known !== null) viewer.set({ ...known, viewer: { ...known.viewer, name: typed.name.trim() } });
        draft.reset();
        notify(words.nameSaved);
        onChanged();
      },
    },
  );
  return (
    <Card title={words.profile}>
      <Form draft={draft} errors={fields}>
        <TextField
          name="name"
          label={words.name}
          value={draft.values.name}
          onChange={(typed) => draft.change({ name: typed })}
          autoComplete="name"
          maxLength={200}
        />
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={!draft.isReady} isPending={isRunning}>
            {words.saveName}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function EmailCard({ email }: { readonly email: string }) {
  const words = useWords('account');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { run, isRunning, problem, fields } = useAccountTask();
  const draft = useDraft(
    { email: '' },
    {
      isReady: (typed) => typed.email.trim() !== '',
      send: (typed) => run(() => withProof(() => changeEmail(typed.email.trim()))),
      onDone: (_, typed) => {
        setSentTo(typed.email.trim());
        draft.reset();
      },
    },
  );
  return (
    <Card title={words.emailTitle}>
      <Form draft={draft} errors={fields}>
        <TextField
          name="newEmail"
          type="email"
          label={words.newEmail}
          help={words.emailHelp({ email })}
          value={draft.values.email}
          onChange={(typed) => draft.change({ email: typed })}
          autoComplete="email"
        />
        <div role="status">
          {sentTo !== null && <Callout tone="positive">{words.emailSent({ email: sentTo })}</Callout>}
        </div>
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={!draft.isReady} isPending={isRunning}>
            {words.changeEmail}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

export const ProfileCard = ({ email, onChanged }: NameProps & { readonly email: string }) => (
  <Columns>
    <Stack gap={5}>
      <NameCard onChanged={onChanged} />
    </Stack>
    <EmailCard email={email} />
  </Columns>
);
