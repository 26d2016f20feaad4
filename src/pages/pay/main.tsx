import { start } from '../start.tsx';
import { pay } from './entry.tsx';

void start(pay);
