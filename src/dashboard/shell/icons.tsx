import {
  CodeIcon,
  CubeIcon,
  FileTextIcon,
  HomeIcon,
  LapTimerIcon,
  LayersIcon,
  LoopIcon,
  MixerVerticalIcon,
  PersonIcon,
  PieChartIcon,
  TableIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import type { Group, Icon } from '../page-route.ts';

export const icons: Readonly<Record<Icon, ReactNode>> = {
  home: <HomeIcon />,
  customers: <PersonIcon />,
  subscriptions: <LoopIcon />,
  catalog: <CubeIcon />,
  billing: <FileTextIcon />,
  usage: <LayersIcon />,
  reports: <PieChartIcon />,
  books: <TableIcon />,
  time: <LapTimerIcon />,
  developers: <CodeIcon />,
  settings: <MixerVerticalIcon />,
};

export const groupIcon = (group: Group): ReactNode => icons[group];
