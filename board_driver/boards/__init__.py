"""Where scans come from: every board, real or drawn, behind one seam (`board`)."""
