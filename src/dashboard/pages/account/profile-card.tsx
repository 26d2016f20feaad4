import { useState } from 'react';
import { withProof } from '../../data/identity-confirmation.ts';
import { changeEmail, changeName } from '../../data/session.ts';
import { viewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form, FormActions } from '../../kit/form.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';

type NameProps = { readonly name: string; readonly onChanged: () => void };

function NameCard({ name, onChanged }: NameProps) {
  const words = useWords('account');
  const [typed, setTyped] = useState(name);
  const { run, isRunning, problem, fields } = useAccountTask();
  const isChanged = typed.trim() !== name && typed.trim() !== '';
  const save = async () => {
    if (!isChanged || !(await run(() => changeName(typed.trim())))) return;
    const known = viewer.get();
    if (known !== null) viewer.set({ ...known, viewer: { ...known.viewer, name: typed.trim() } });
    notify(words.nameSaved);
    onChanged();
  };
  return (
    <Card title={words.profile}>
      <Form onSubmit={() => void save()} errors={fields} isChanged={isChanged}>
        <TextField
          name="name"
          label={words.name}
          value={typed}
          onChange={setTyped}
          autoComplete="name"
          maxLength={200}
        />
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={!isChanged} isPending={isRunning}>
            {words.saveName}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function EmailCard({ email }: { readonly email: string }) {
  const words = useWords('account');
  const [typed, setTyped] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { run, isRunning, problem, fields } = useAccountTask();
  const save = async () => {
    const to = typed.trim();
    if (to === '' || !(await run(() => withProof(() => changeEmail(to))))) return;
    setSentTo(to);
    setTyped('');
  };
  return (
    <Card title={words.emailTitle}>
      <Form onSubmit={() => void save()} errors={fields} isChanged={typed !== ''}>
        <TextField
          name="newEmail"
          type="email"
          label={words.newEmail}
          help={words.emailHelp({ email })}
          value={typed}
          onChange={setTyped}
          autoComplete="email"
        />
        <div role="status">
          {sentTo !== null && <Callout tone="positive">{words.emailSent({ email: sentTo })}</Callout>}
        </div>
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={typed.trim() === ''} isPending={isRunning}>
            {words.changeEmail}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

export const ProfileCard = ({ name, email, onChanged }: NameProps & { readonly email: string }) => (
  <Columns>
    <Stack gap={5}>
      <NameCard name={name} onChanged={onChanged} />
    </Stack>
    <EmailCard email={email} />
  </Columns>
);
