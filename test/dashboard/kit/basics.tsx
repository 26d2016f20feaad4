import PlusIcon from 'lucide-react/icons/plus';
import { Badge, Status, Tag } from '../../../src/dashboard/kit/badge.tsx';
import { Button, IconButton, LinkButton } from '../../../src/dashboard/kit/button.tsx';
import { Copy } from '../../../src/dashboard/kit/copy.tsx';
import { Card, Row, Stack } from '../../../src/dashboard/kit/layout.tsx';
import { Link } from '../../../src/dashboard/kit/link.tsx';
import { Menu } from '../../../src/dashboard/kit/menu.tsx';
import { Popover } from '../../../src/dashboard/kit/popover.tsx';
import { Text } from '../../../src/dashboard/kit/text.tsx';
import { Tooltip } from '../../../src/dashboard/kit/tooltip.tsx';
import {
  Count,
  Country,
  DateText,
  DateTime,
  Money,
  Percent,
  Period,
  Rate,
  RelativeTime,
} from '../../../src/dashboard/kit/values.tsx';

const tones = ['neutral', 'info', 'positive', 'warning', 'negative', 'special'] as const;

/** Examples of buttons, and the menus and dialogs that they open. */
export const Buttons = () => (
  <Card title="Buttons">
    <Stack>
      <Row>
        <Button kind="primary" keys="n" icon={<PlusIcon />}>
          New customer
        </Button>
        <Button>Normal</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Cancel subscription</Button>
        <LinkButton href="#docs">Link</LinkButton>
      </Row>
      <Row>
        <Button size="sm">Small</Button>
        <Button isPending>Pending</Button>
        <Button isDisabled>Disabled</Button>
        <IconButton label="Add" icon={<PlusIcon />} />
        <Menu
          items={[
            { id: 'edit', label: 'Edit', keys: 'e' },
            { id: 'copy', label: 'Duplicate', help: 'With prices and features' },
            { id: 'delete', label: 'Delete', tone: 'danger' },
          ]}
        />
        <Popover label="Details" trigger={<Button>Popover</Button>}>
          <Text>Some details.</Text>
        </Popover>
        <Tooltip text="Opens the list" keys="g c">
          <Button>Tooltip</Button>
        </Tooltip>
      </Row>
    </Stack>
  </Card>
);

export const Labels = () => (
  <Card title="Labels and values">
    <Stack>
      <Row>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </Row>
      <Row>
        {tones.map((tone) => (
          <Status key={tone} tone={tone}>
            {tone}
          </Status>
        ))}
      </Row>
      <Row>
        <Tag label="Country is Germany" onRemove={() => undefined} />
        <Link href="#x">A link</Link>
        <Copy value="cus_7Zk29dLmQpR4x7Kd" short />
      </Row>
      <Row gap={4}>
        <Money minor={123_456} currency="usd" />
        <Money minor={-5_000} currency="eur" />
        <Money minor={1_200} currency="jpy" />
        <Rate rate={25} currency="usd" per="call" />
        <Count value={10_000} isExact={false} />
        <Percent share={0.1234} sign />
      </Row>
      <Row gap={4}>
        <DateText at="2026-11-23T09:00:00Z" />
        <DateTime at="2026-11-23T09:00:00Z" />
        <RelativeTime at="2026-11-20T09:00:00Z" />
        <Period from="2026-11-01T00:00:00Z" until="2026-12-01T00:00:00Z" />
        <Country code="DE" />
      </Row>
    </Stack>
  </Card>
);
