import { type CatalogModule, start } from '../start.tsx';
import { pricing } from './entry.tsx';

void start(pricing, import.meta.glob<CatalogModule<unknown>>('../words/*/pricing.json'));
