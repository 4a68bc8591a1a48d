import { useQuery } from '@tanstack/react-query';
import { servedModelsQuery } from '../models/models.js';

/** The currency of all prices and costs; undefined while it isn't known, or if no model has a price. */
export function useCurrency(): string | undefined {
  const { data } = useQuery(servedModelsQuery);
  return data?.models.find(({ price }) => price !== null)?.price?.currency;
}
