import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { useViewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import {
  DeveloperDeviceLoginApproveDocument,
  DeveloperDeviceLoginDenyDocument,
  type DeviceLoginLineFragment,
} from './device.graphql';
import { EnvironmentChoice, firstPreset, PresetChoice } from './key-choices.tsx';

export type Decision = 'approved' | 'denied';

type DeviceRequestProps = {
  readonly code: string;
  readonly of: DeviceLoginLineFragment;
  readonly onDecide: (decision: Decision) => void;
};

/** Shows the machine and the permissions of its API key, with buttons to approve or deny the sign-in. */
export function DeviceRequest({ code, of, onDecide }: DeviceRequestProps) {
  const words = useWords('device');
  const isLive = useStore(environment) === 'live';
  const [preset, setPreset] = useState(firstPreset(isLive));
  const [approve, approving] = useAction(DeveloperDeviceLoginApproveDocument);
  const [deny, denying] = useAction(DeveloperDeviceLoginDenyDocument);
  const isRunning = approving.isRunning || denying.isRunning;
  const decide = async (decision: Decision): Promise<void> => {
    const result = await (decision === 'approved'
      ? approve({ input: { userCode: code, preset } })
      : deny({ input: { userCode: code } }));
    if (!(result instanceof ApiError)) onDecide(decision);
  };
  return (
    <Stack gap={5}>
      <Callout tone="warning" title={words.compare({ code })}>
        {words.compareText}
      </Callout>
      <Facts code={code} of={of} />
      {isLive && <Callout tone="warning">{words.liveWarning}</Callout>}
      <PresetChoice value={preset} onChange={setPreset} />
      <Rejection error={approving.error ?? denying.error} texts={{ not_found: words.unknownCode }} />
      <Row gap={2}>
        <Button
          kind="primary"
          onPress={() => void decide('approved')}
          isPending={approving.isRunning}
          isDisabled={isRunning}
        >
          {words.approve}
        </Button>
        <Button onPress={() => void decide('denied')} isPending={denying.isRunning} isDisabled={isRunning}>
          {words.deny}
        </Button>
      </Row>
    </Stack>
  );
}

function Facts({ code, of }: Omit<DeviceRequestProps, 'onDecide'>) {
  const words = useWords('device');
  const { membership } = useViewer();
  return (
    <Card title={words.request}>
      <FactList
        items={[
          { label: words.machine, value: <Text weight="medium">{of.machineName}</Text> },
          { label: words.code, value: <Text code>{code}</Text> },
          { label: words.requested, value: <DateTime at={of.createdAt} /> },
          { label: words.organization, value: membership.organizationName },
          {
            label: words.environment,
            value: <EnvironmentChoice page="device" query={{ user_code: code }} />,
          },
          { label: words.keyExpires, value: words.inDays({ days: of.apiKeyExpiresInDays }) },
        ]}
      />
    </Card>
  );
}
