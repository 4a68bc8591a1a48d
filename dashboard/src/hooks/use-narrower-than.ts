import { useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is narrower than a breakpoint. For content that CSS would only hide. */
export function useNarrowerThan(breakpoint: 'xs' | 'lg'): boolean {
  const { breakpoints } = useMantineTheme();
  return useMediaQuery(`(width < ${breakpoints[breakpoint]})`, false, { getInitialValueInEffect: false });
}
