import { useState } from 'react';
import { presetScopes } from '../../../domain/limits/preset-scopes.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { useViewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../kit/number-field.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import {
  DeveloperAppConnectionApproveDocument,
  DeveloperAppConnectionDenyDocument,
  type DeveloperAppConnectionRequestQuery,
} from './connect.graphql';
import { ConnectPermissions } from './connect-permissions.tsx';
import { useDeveloperWords } from './developer-words.ts';
import { EnvironmentChoice, firstPreset, PresetChoice } from './key-choices.tsx';
import { keptPermissions } from './key-permissions.ts';

/** Decision of the member, and the URL of the app that the browser opens. */
export type ConnectResult = { readonly decision: 'approved' | 'denied'; readonly redirectUrl: string };

type Request = DeveloperAppConnectionRequestQuery['appConnectionRequest'];

type ConnectRequestProps = {
  readonly request: string;
  readonly of: Request;
  readonly onDecide: (result: ConnectResult) => void;
};

const noLimits = {
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  approveAbove: null,
  maxCallsPerHour: null,
} as const;

type Limits = { readonly [name in keyof typeof noLimits]: number | null };

/** Shows the app and the permissions of its API key, with buttons to approve or deny the connection. */
export function ConnectRequest({ request, of, onDecide }: ConnectRequestProps) {
  const words = useWords('connect');
  const deviceWords = useWords('device');
  const isLive = useStore(environment) === 'live';
  const [preset, setPreset] = useState(firstPreset(isLive));
  const [limits, setLimits] = useState<Limits>(noLimits);
  // `null` keeps all permissions of the preset.
  const [permissions, setPermissions] = useState<readonly string[] | null>(null);
  const scopes = presetScopes(preset, isLive) ?? [];
  const [approve, approving] = useAction(DeveloperAppConnectionApproveDocument);
  const [deny, denying] = useAction(DeveloperAppConnectionDenyDocument);
  const isRunning = approving.isRunning || denying.isRunning;
  const finish = (decision: ConnectResult['decision'], redirectUrl: string): void => {
    onDecide({ decision, redirectUrl });
    window.location.assign(redirectUrl);
  };
  const onApprove = async (): Promise<void> => {
    const result = await approve({
      input: {
        request,
        preset,
        limits,
        ...(permissions !== null && { permissions: keptPermissions({ scopes }, permissions) }),
      },
    });
    if (!(result instanceof ApiError)) finish('approved', result.appConnectionApprove.redirectUrl);
  };
  const onDeny = async (): Promise<void> => {
    const result = await deny({ input: { request } });
    if (!(result instanceof ApiError)) finish('denied', result.appConnectionDeny.redirectUrl);
  };
  return (
    <Stack gap={5}>
      <Callout tone="warning" title={words.warning({ name: of.appName })}>
        {words.warningText}
      </Callout>
      <Facts request={request} of={of} />
      {isLive && <Callout tone="warning">{deviceWords.liveWarning}</Callout>}
      <PresetChoice
        value={preset}
        onChange={(chosen) => {
          setPreset(chosen);
          setPermissions(null);
        }}
      />
      <ConnectPermissions scopes={scopes} selected={permissions} onChange={setPermissions} />
      <LimitFields limits={limits} onChange={setLimits} />
      <Rejection error={approving.error ?? denying.error} texts={{ not_found: words.expired }} />
      <Row gap={2}>
        <Button
          kind="primary"
          onPress={() => void onApprove()}
          isPending={approving.isRunning}
          isDisabled={isRunning || permissions?.length === 0}
        >
          {deviceWords.approve}
        </Button>
        <Button onPress={() => void onDeny()} isPending={denying.isRunning} isDisabled={isRunning}>
          {deviceWords.deny}
        </Button>
      </Row>
    </Stack>
  );
}

function Facts({ request, of }: Omit<ConnectRequestProps, 'onDecide'>) {
  const words = useWords('connect');
  const deviceWords = useWords('device');
  const { membership } = useViewer();
  return (
    <Card title={deviceWords.request}>
      <FactList
        items={[
          { label: words.app, value: <Text weight="medium">{of.appName}</Text> },
          { label: words.host, value: <Text code>{of.redirectHost}</Text> },
          { label: deviceWords.organization, value: membership.organizationName },
          {
            label: deviceWords.environment,
            value: <EnvironmentChoice page="connect" query={{ request }} />,
          },
          { label: words.ends, value: words.endsValue },
        ]}
      />
    </Card>
  );
}

type LimitFieldsProps = { readonly limits: Limits; readonly onChange: (limits: Limits) => void };

const amounts = ['maxAmountPerCall', 'maxAmountPerDay', 'approveAbove'] as const;

function LimitFields({ limits, onChange }: LimitFieldsProps) {
  const words = useWords('connect');
  const labels = useDeveloperWords();
  return (
    <Card title={words.limits}>
      <Stack gap={4}>
        <Text color="muted">{words.limitsAbout}</Text>
        {amounts.map((name) => (
          <MoneyField
            key={name}
            currency="usd"
            name={name}
            label={labels[name]}
            value={limits[name]}
            onChange={(amount) => onChange({ ...limits, [name]: amount })}
          />
        ))}
        <NumberField
          name="maxCallsPerHour"
          label={labels.maxCallsPerHour}
          minValue={0}
          value={limits.maxCallsPerHour ?? Number.NaN}
          onChange={(value) => onChange({ ...limits, maxCallsPerHour: Number.isNaN(value) ? null : value })}
        />
      </Stack>
    </Card>
  );
}
