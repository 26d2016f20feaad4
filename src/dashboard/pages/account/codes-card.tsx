import { useEffect, useState } from 'react';
import {
  beginCodes,
  type CodeSetup,
  hasCodes,
  proveCode,
  removeCodes,
  renewRecoveryCodes,
} from '../../data/second-factor.ts';
import { useViewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Code } from '../../kit/code.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Form, FormActions } from '../../kit/form.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Loading } from '../../kit/states.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';

type CodesCardProps = { readonly onChanged: () => void };

/** Card for one-time codes: sets up an authenticator app, creates recovery codes, and turns codes off. Each change requires the password. */
export function CodesCard({ onChanged }: CodesCardProps) {
  const words = useWords('account');
  const [isOn, setOn] = useState<boolean | null>(null);
  const [setup, setSetup] = useState<CodeSetup | null>(null);
  const { run, problem } = useAccountTask();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the card appears.
  useEffect(() => {
    void run(async () => setOn(await hasCodes()));
  }, []);
  const turned = (now: boolean) => {
    setOn(now);
    setSetup(null);
    notify(now ? words.codesSaved : words.codesRemoved);
    onChanged();
  };
  return (
    <Card title={words.codes}>
      <Stack>
        <Problem text={problem} />
        {isOn === null && problem === null && <Loading lines={2} />}
        {isOn !== null && <Text as="p">{isOn ? words.codesOn : words.codesOff}</Text>}
        {isOn === false && setup === null && <Begin onBegun={setSetup} />}
        {setup !== null && <Confirm setup={setup} onConfirmed={() => turned(true)} />}
        {isOn === true && <Manage onRemoved={() => turned(false)} />}
      </Stack>
    </Card>
  );
}

type PasswordProps = { readonly value: string; readonly onChange: (value: string) => void };

function Password(props: PasswordProps) {
  const words = useWords('account');
  return (
    <TextField
      name="currentPassword"
      type="password"
      label={words.currentPassword}
      autoComplete="current-password"
      {...props}
    />
  );
}

function Begin({ onBegun }: { readonly onBegun: (setup: CodeSetup) => void }) {
  const words = useWords('account');
  const [password, setPassword] = useState('');
  const { isEmailVerified } = useViewer();
  const { run, isRunning, problem, fields } = useAccountTask();
  if (!isEmailVerified) return <Callout>{words.verifyFirst}</Callout>;
  return (
    <Form onSubmit={() => void run(async () => onBegun(await beginCodes(password)))} errors={fields}>
      <Password value={password} onChange={setPassword} />
      <Problem text={problem} />
      <FormActions>
        <Button type="submit" isDisabled={password === ''} isPending={isRunning}>
          {words.setUpCodes}
        </Button>
      </FormActions>
    </Form>
  );
}

const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => {
  const words = useWords('account');
  return (
    <>
      <Heading level={3}>{words.recoveryCodes}</Heading>
      <Text as="p">{words.recoveryHelp}</Text>
      <Code label={words.recoveryCodes} code={codes.join('\n')} />
    </>
  );
};

type ConfirmProps = { readonly setup: CodeSetup; readonly onConfirmed: () => void };

/** Shows the key for the authenticator app and the recovery codes, with a field for the app's first code. */
function Confirm({ setup: { totpURI, backupCodes }, onConfirmed }: ConfirmProps) {
  const words = useWords('account');
  const [code, setCode] = useState('');
  const { run, isRunning, problem, fields } = useAccountTask();
  const confirm = async () => {
    if (await run(() => proveCode(code.trim(), false))) onConfirmed();
  };
  return (
    <Form onSubmit={() => void confirm()} errors={fields}>
      <Heading level={3}>{words.secret}</Heading>
      <Text as="p">{words.secretHelp}</Text>
      <Row>
        <Copy value={new URL(totpURI).searchParams.get('secret') ?? ''} />
        <Link href={totpURI}>{words.openApp}</Link>
      </Row>
      <RecoveryCodes codes={backupCodes} />
      <TextField
        name="code"
        label={words.firstCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={setCode}
      />
      <Problem text={problem} />
      <FormActions>
        <Button type="submit" kind="primary" isDisabled={code.trim() === ''} isPending={isRunning}>
          {words.confirmCodes}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Creates new recovery codes, or turns off one-time codes. */
function Manage({ onRemoved }: { readonly onRemoved: () => void }) {
  const words = useWords('account');
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { run, isRunning, problem, fields } = useAccountTask();
  const renew = async () => {
    if (await run(async () => setCodes(await renewRecoveryCodes(password)))) setPassword('');
  };
  const remove = async () => {
    if (await run(() => removeCodes(password))) onRemoved();
  };
  return (
    <Form onSubmit={() => void renew()} errors={fields}>
      {codes !== null && <RecoveryCodes codes={codes} />}
      <Password value={password} onChange={setPassword} />
      <Problem text={problem} />
      <FormActions>
        <Button
          kind="danger"
          isDisabled={password === ''}
          isPending={isRunning}
          onPress={() => void remove()}
        >
          {words.removeCodes}
        </Button>
        <Button type="submit" isDisabled={password === ''} isPending={isRunning}>
          {words.renewCodes}
        </Button>
      </FormActions>
    </Form>
  );
}
