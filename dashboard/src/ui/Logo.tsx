import classes from './Logo.module.css';

/** The logo and product name. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <img src="/favicon.svg" width={26} height={26} alt="" />
      Keycard
    </span>
  );
}
