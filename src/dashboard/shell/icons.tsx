import BoxIcon from 'lucide-react/icons/box';
import ChartPieIcon from 'lucide-react/icons/chart-pie';
import CodeIcon from 'lucide-react/icons/code';
import FileTextIcon from 'lucide-react/icons/file-text';
import HouseIcon from 'lucide-react/icons/house';
import LayersIcon from 'lucide-react/icons/layers';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import SlidersVerticalIcon from 'lucide-react/icons/sliders-vertical';
import TableIcon from 'lucide-react/icons/table-2';
import TimerIcon from 'lucide-react/icons/timer';
import UserIcon from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import type { Group, Icon } from '../page-route.ts';

export const icons: Readonly<Record<Icon, ReactNode>> = {
  home: <HouseIcon />,
  customers: <UserIcon />,
  subscriptions: <RefreshCwIcon />,
  catalog: <BoxIcon />,
  billing: <FileTextIcon />,
  usage: <LayersIcon />,
  reports: <ChartPieIcon />,
  books: <TableIcon />,
  time: <TimerIcon />,
  developers: <CodeIcon />,
  settings: <SlidersVerticalIcon />,
};

export const groupIcon = (group: Group): ReactNode => icons[group];
