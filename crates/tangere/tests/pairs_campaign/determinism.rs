//! One answer, bit for bit, whatever the method and the number of threads.
