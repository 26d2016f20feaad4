import type { ReactNode } from 'react';
import { useAddressSearch } from '../../address.ts';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Sheet } from '../../kit/sheet.tsx';

type Point = { readonly start: string };

/** Returns the chart point that is open according to the URL, and functions that open a point by index and close it. */
export function usePoint<Of extends Point>(
  chart: string,
  points: readonly Of[],
): {
  readonly opened: Of | undefined;
  readonly open: (index: number) => void;
  readonly close: () => void;
} {
  const [search, change] = useAddressSearch();
  const [name, start] = search['point']?.split('.') ?? [];
  return {
    opened: name === chart ? points.find((point) => point.start === start) : undefined,
    open: (index) => {
      const point = points[index];
      if (point !== undefined) change({ point: `${chart}.${point.start}` }, { isNew: true });
    },
    close: () => change({ point: undefined }),
  };
}

type PointSheetProps = {
  readonly title: string;
  /** Formatted date range of the point. */
  readonly days: string;
  readonly facts: readonly Fact[];
  /** Links to lists of the objects that the metrics count. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** Sheet with the details of a chart point, and links to lists of the objects that the point counts. */
export const PointSheet = ({ title, days, facts, links, onClose, children }: PointSheetProps) => (
  <Sheet isOpen onClose={onClose} title={title} subtitle={days}>
    <Stack>
      <FactList items={facts} />
      {children}
      {links.map(({ label, href }) => (
        <div key={href}>
          <Link href={href}>{label}</Link>
        </div>
      ))}
    </Stack>
  </Sheet>
);
