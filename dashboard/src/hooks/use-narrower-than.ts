import { useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is narrower than a breakpoint. For content that CSS would only hide. */
export function useNarrowerThan(breakpoint: 'xs' | 'sm' | 'md'): boolean {
  const { breakpoints } = useMantineTheme();
  return useMediaQuery(`(width < ${breakpoints[breakpoint]})`, false, { getInitialValueInEffect: false });
}
