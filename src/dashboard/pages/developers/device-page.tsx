import { useId, useState } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { DeveloperDeviceLoginDocument } from './device.graphql';
import { type Decision, DeviceRequest } from './device-request.tsx';

/** Page on which a member approves or denies the sign-in of a command line. Opening the page decides nothing. */
export default function DevicePage() {
  const title = useWords('titles').device;
  const words = useWords('device');
  const [search, change] = useAddressSearch();
  const code = (search['user_code'] ?? '').trim().toUpperCase();
  const [decision, setDecision] = useState<Decision | null>(null);
  if (decision !== null)
    return (
      <Page title={title}>
        <Decided as={decision} />
      </Page>
    );
  return (
    <Page title={title} subtitle={words.about}>
      {code === '' ? (
        <CodeForm onEnter={(user_code) => change({ user_code })} />
      ) : (
        <Lookup code={code} onDecide={setDecision} onOtherCode={() => change({ user_code: undefined })} />
      )}
    </Page>
  );
}

const Decided = ({ as }: { readonly as: Decision }) => {
  const words = useWords('device');
  return (
    <Stack gap={4}>
      <div role="status">
        <Callout
          tone={as === 'approved' ? 'positive' : 'info'}
          title={as === 'approved' ? words.approved : words.denied}
        >
          {as === 'approved' ? words.approvedText : words.deniedText}
        </Callout>
      </div>
      <Row>
        <LinkButton href={addressOf('apiKeys')}>{words.showKeys}</LinkButton>
      </Row>
    </Stack>
  );
};

/** Form for members who opened the page without the code in the address. */
function CodeForm({ onEnter }: { readonly onEnter: (code: string) => void }) {
  const words = useWords('device');
  const form = useId();
  const [code, setCode] = useState('');
  const isReady = code.trim() !== '';
  return (
    <Card title={words.enterCode}>
      <Form id={form} onSubmit={() => isReady && onEnter(code.trim())}>
        <Stack gap={4}>
          <TextField
            name="userCode"
            label={words.code}
            help={words.codeHelp}
            value={code}
            onChange={setCode}
            maxLength={20}
            code
            isRequired
            autoFocus
          />
          <Row>
            <Button kind="primary" type="submit" form={form} isDisabled={!isReady}>
              {words.continue}
            </Button>
          </Row>
        </Stack>
      </Form>
    </Card>
  );
}

type LookupProps = {
  readonly code: string;
  readonly onDecide: (decision: Decision) => void;
  readonly onOtherCode: () => void;
};

function Lookup({ code, onDecide, onOtherCode }: LookupProps) {
  const words = useWords('device');
  const { data, error } = useData(DeveloperDeviceLoginDocument, { userCode: code });
  if (data === null && error === null) return <Loading lines={6} />;
  if (data === null)
    return (
      <Stack gap={4}>
        <Rejection error={error} texts={{ not_found: words.unknownCode }} />
        <Row>
          <Button onPress={onOtherCode}>{words.otherCode}</Button>
        </Row>
      </Stack>
    );
  return <DeviceRequest code={code} of={data.deviceLogin} onDecide={onDecide} />;
}
